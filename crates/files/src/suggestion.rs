//! Suggestions for misspelled words.

/// Longer words are not compared: the cost is the product of the lengths.
const MAX_LENGTH: usize = 64;

/// The edit distance of two words, if it is small enough that one may be a misspelling of the other.
pub fn distance_if_close(word: &str, candidate: &str) -> Option<usize> {
    if word.len().max(candidate.len()) > MAX_LENGTH {
        return None;
    }
    let distance = strsim::damerau_levenshtein(word, candidate);
    (distance <= 1 + word.chars().count() / 3).then_some(distance)
}

/// The candidate that is closest to a word, if any is close.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let close = candidates.into_iter().filter_map(|candidate| Some((distance_if_close(word, candidate)?, candidate)));
    close.min_by_key(|&(distance, _)| distance).map(|(_, best)| best.to_string())
}
