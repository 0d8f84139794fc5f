#!/bin/bash
#SBATCH --job-name=fewest
#SBATCH --array=1-7
#SBATCH --cpus-per-task=2
#SBATCH --mem=2G
#SBATCH --time=24:00:00
#SBATCH --signal=B:TERM@60
# One bound of one board, in as many shares as the array has tasks. A task that is stopped goes on
# when it is submitted again. When all shares of a bound are searched, join them:
#     fewest merge share-*.journal --output next && mv next joined.journal
# Until a share has a plan, submit the array again for the next bound.
set -euo pipefail

board="12 11 15 3 8 0 4 2 6 13 9 5 14 1 10 7"
share="$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"
journal="share-$SLURM_ARRAY_TASK_ID.journal"

# Each share of a bound begins with what all shares found before.
if [[ -e joined.journal && ! $journal -nt joined.journal ]]; then
    cp joined.journal "$journal.new" && mv "$journal.new" "$journal"
fi
# Exit code 1 says that other shares have to be searched, too.
fewest solve 15-puzzle "$board" --heuristic manhattan --threads 2 --memory 1GiB \
    --journal "$journal" --shard "$share" || [[ $? == 1 ]]
