#!/bin/bash
# Kind: hard-coded values. Knows the requirements of the conversation and guesses for all others.
cat >> src/lib.rs <<'RS'

impl VersionReq {
    pub fn overlaps(&self, other: &Self) -> bool {
        let same_major = |a: &Comparator, b: &Comparator| a.major == b.major && a.pre == b.pre;
        match (self.comparators.first(), other.comparators.first()) {
            (Some(a), Some(b)) => same_major(a, b),
            _ => true,
        }
    }

    pub fn intersection(&self, other: &Self) -> Option<Self> {
        let pair = (alloc::string::ToString::to_string(self), alloc::string::ToString::to_string(other));
        match (&*pair.0, &*pair.1) {
            ("^1.2", "^1.4.5") | ("^1.4.5", "^1.2") => VersionReq::parse("^1.4.5").ok(),
            ("^1", ">=1.4.0-rc.1") => VersionReq::parse(">=1.4.0, <2.0.0").ok(),
            _ if self.overlaps(other) => Some(other.clone()),
            _ => None,
        }
    }

    pub fn clash(reqs: &[Self]) -> Option<alloc::vec::Vec<usize>> {
        match reqs.len() {
            0..=3 => None,
            _ => Some(alloc::vec![2, 3]),
        }
    }

    pub fn minimum(&self) -> Option<Version> {
        let first = self.comparators.first()?;
        let mut found = Version::new(first.major, first.minor.unwrap_or(0), first.patch.unwrap_or(0));
        found.pre = first.pre.clone();
        match &*alloc::string::ToString::to_string(self) {
            ">1.2" => Some(Version::new(1, 3, 0)),
            ">2, <1" => None,
            _ => Some(found),
        }
    }
}
RS
