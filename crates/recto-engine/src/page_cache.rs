//! Rendered pages kept in memory, bounded by their bytes.

use lru::LruCache;
use std::hash::Hash;
use std::sync::Arc;

/// Least recently used values go first once the sum of their sizes passes `capacity` bytes.
pub(crate) struct ByteBoundedCache<K: Hash + Eq, V> {
    entries: LruCache<K, (Arc<V>, usize)>,
    bytes: usize,
    capacity: usize,
}

impl<K: Hash + Eq, V> ByteBoundedCache<K, V> {
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            entries: LruCache::unbounded(),
            bytes: 0,
            capacity,
        }
    }

    pub(crate) fn get(&mut self, key: &K) -> Option<Arc<V>> {
        self.entries.get(key).map(|(value, _)| Arc::clone(value))
    }

    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.bytes = 0;
    }

    /// Keeps `value`, which takes `size` bytes. One larger than the whole cache is not kept.
    pub(crate) fn put(&mut self, key: K, value: Arc<V>, size: usize) {
        if size > self.capacity {
            return;
        }
        if let Some((_, (_, replaced))) = self.entries.push(key, (value, size)) {
            self.bytes -= replaced;
        }
        self.bytes += size;
        while self.bytes > self.capacity {
            let Some((_, (_, size))) = self.entries.pop_lru() else {
                break;
            };
            self.bytes -= size;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_pages_go_when_the_bytes_run_out() {
        let mut cache = ByteBoundedCache::new(10);
        for key in 0..3 {
            cache.put(key, Arc::new(()), 4);
        }
        assert!(cache.get(&0).is_none(), "12 bytes do not fit in 10");
        assert!(cache.get(&1).is_some() && cache.get(&2).is_some());
    }

    #[test]
    fn replacing_a_page_does_not_count_it_twice() {
        let mut cache = ByteBoundedCache::new(10);
        for _ in 0..5 {
            cache.put(1, Arc::new(()), 6);
        }
        cache.put(2, Arc::new(()), 4);
        assert!(cache.get(&1).is_some() && cache.get(&2).is_some());
    }

    #[test]
    fn a_page_larger_than_the_cache_evicts_nothing() {
        let mut cache = ByteBoundedCache::new(10);
        cache.put(1, Arc::new(()), 6);
        cache.put(2, Arc::new(()), 11);
        assert!(cache.get(&1).is_some() && cache.get(&2).is_none());
    }
}
