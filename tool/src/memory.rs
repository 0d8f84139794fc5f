//! The default of `--memory`: a quarter of the memory that the process may take.

use std::path::Path;

/// The least default on a machine with at least this much memory.
const LEAST: u64 = 1 << 30;

/// The default of `--memory` in bytes.
pub(super) fn default_memory() -> u64 {
    share(machine_memory())
}

/// The default for a machine with so many bytes. `None`: the operating system does not say.
fn share(machine: Option<u64>) -> u64 {
    match machine {
        None => LEAST,
        Some(bytes) if bytes < LEAST => bytes / 4,
        Some(bytes) => (bytes / 4).max(LEAST),
    }
}

/// Bytes that this process may take: those of the machine, or of its control group if these are
/// fewer.
fn machine_memory() -> Option<u64> {
    let read = |path: &Path| std::fs::read_to_string(path).ok();
    let total = read(Path::new("/proc/meminfo")).as_deref().and_then(total_of);
    let groups = read(Path::new("/proc/self/cgroup")).unwrap_or_default();
    let limits = groups.lines().filter_map(|line| group_limit(line, &read));
    total.into_iter().chain(limits).min()
}

/// The total in `/proc/meminfo`.
fn total_of(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The least memory limit of a control group and of the groups around it. `line` is a line of
/// `/proc/self/cgroup`.
fn group_limit(line: &str, read: &dyn Fn(&Path) -> Option<String>) -> Option<u64> {
    let (controllers, group) = line.split_once(':')?.1.split_once(':')?;
    let (folder, file) = match controllers {
        "" => ("/sys/fs/cgroup", "memory.max"),
        names if names.split(',').any(|name| name == "memory") => {
            ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
        }
        _ => return None,
    };
    let limit = |group: &Path| {
        let group = group.strip_prefix("/").ok()?;
        // `max` and other words are no limit.
        read(&Path::new(folder).join(group).join(file))?.trim().parse().ok()
    };
    Path::new(group).ancestors().filter_map(limit).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_and_a_gibibyte_where_there_is_one() {
        const GIB: u64 = 1 << 30;
        let shares = [(24 * GIB, 6 * GIB), (4 * GIB, GIB), (2 * GIB, GIB), (GIB, GIB)];
        for (machine, wanted) in shares.into_iter().chain([(GIB / 2, GIB / 8)]) {
            assert_eq!(share(Some(machine)), wanted, "{machine}");
        }
        assert_eq!(share(None), GIB);
    }

    #[test]
    fn the_least_limit_counts() {
        let meminfo = "MemTotal:       24683520 kB\nMemFree:        1 kB\n";
        assert_eq!(total_of(meminfo), Some(24_683_520 * 1024));
        assert_eq!(total_of("MemFree: 1 kB"), None);
        let read = |path: &Path| {
            let text = match path.to_str()? {
                "/sys/fs/cgroup/a/b/memory.max" => "max\n",
                "/sys/fs/cgroup/a/memory.max" => "4096\n",
                "/sys/fs/cgroup/memory/old/memory.limit_in_bytes" => "8192\n",
                _ => return None,
            };
            Some(text.to_owned())
        };
        for (line, limit) in [
            ("0::/a/b", Some(4096)),
            ("0::/", None),
            ("5:cpu,memory:/old", Some(8192)),
            ("4:cpu:/old", None),
            ("nonsense", None),
        ] {
            assert_eq!(group_limit(line, &read), limit, "{line}");
        }
    }
}
