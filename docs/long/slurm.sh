#!/bin/bash
#SBATCH --job-name=fewest
#SBATCH --array=1-7
#SBATCH --cpus-per-task=2
#SBATCH --mem=2G
#SBATCH --time=24:00:00
#SBATCH --signal=B:TERM@60
# One bound of one board, in as many shares as the array has tasks. Submit it again after
# `fewest merge`, until a share has a plan. A task that is stopped goes on when it is submitted
# again.
set -euo pipefail

board="6 12 11 3 13 7 9 15 2 14 8 10 4 1 5 0"
share="$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"
journal="share-$SLURM_ARRAY_TASK_ID.journal"

# Each share begins with what all shares found before.
if [[ -e joined.journal && ! -e $journal ]]; then cp joined.journal "$journal"; fi
# Exit code 1 says that other shares have to be searched, too.
fewest solve 15-puzzle "$board" --heuristic manhattan --threads 2 --memory 1GiB \
    --journal "$journal" --shard "$share" || [[ $? == 1 ]]
