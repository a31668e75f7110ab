//! From the filter options to the scope of a search or question.

use crate::args::Filters;
use crate::commands::add::absolute;
use crate::context::Context;
use crate::failure::{Failure, Result};
use recto_engine::Engine;
use recto_engine::contract::ScopeRequest;

/// The scope the options describe; shortened document ids are looked up.
pub(crate) async fn read(context: &Context, engine: &Engine, filters: &Filters) -> Result<ScopeRequest> {
    let mut document_ids = Vec::new();
    for id in &filters.documents {
        let document = engine.show(context.selected(), id).await?;
        let Some(document_id) = document.document_id else {
            return Err(Failure::not_found(format!("“{id}” cannot be searched yet.")));
        };
        document_ids.push(document_id);
    }
    Ok(ScopeRequest {
        document_ids,
        ..without_documents(context, filters)?
    })
}

/// Everything but the documents, checked before the library is opened.
pub(crate) fn without_documents(context: &Context, filters: &Filters) -> Result<ScopeRequest> {
    let moment = |option: &str, text: &Option<String>, bound: Bound| match text {
        None => Ok(None),
        Some(text) => match read_moment(text, bound) {
            Some(moment) => Ok(Some(moment)),
            None => Err(Failure::Usage(format!(
                "{option}: “{text}” is no date; write it as 2026-03-31 or 2026-03-31T12:00:00Z."
            ))),
        },
    };
    Ok(ScopeRequest {
        collections: context.selected().map(<[String]>::to_vec),
        document_ids: Vec::new(),
        tags: filters.tags.clone(),
        folder: filters
            .folder
            .as_deref()
            .map(|folder| absolute(folder).to_string_lossy().into_owned()),
        media_type: filters.media_type.clone(),
        since: moment("--since", &filters.since, Bound::From)?,
        until: moment("--until", &filters.until, Bound::Through)?,
        partial: filters.partial,
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    /// A day begins at its midnight.
    From,
    /// A day is meant with all its hours, so the bound is the next midnight.
    Through,
}

/// An RFC 3339 moment from a day in UTC or a moment. `None` where it is neither.
fn read_moment(text: &str, bound: Bound) -> Option<String> {
    let text = text.trim();
    let (date, time) = match text.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, Some(time)),
        None => (text, None),
    };
    let (year, month, day) = read_date(date)?;
    if let Some(time) = time {
        return is_time(time).then(|| format!("{date}T{}", time.to_ascii_uppercase()));
    }
    let (year, month, day) = if bound == Bound::Through {
        next_day(year, month, day)
    } else {
        (year, month, day)
    };
    Some(format!("{year:04}-{month:02}-{day:02}T00:00:00Z"))
}

fn read_date(text: &str) -> Option<(u32, u32, u32)> {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let lengths = [year.len(), month.len(), day.len()];
    let digits = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    if parts.next().is_some() || lengths != [4, 2, 2] || !digits {
        return None;
    }
    let (year, month, day) = (year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
    ((1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day)).then_some((year, month, day))
}

fn days_in(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn next_day(year: u32, month: u32, day: u32) -> (u32, u32, u32) {
    if day < days_in(year, month) {
        (year, month, day + 1)
    } else if month < 12 {
        (year, month + 1, 1)
    } else {
        (year + 1, 1, 1)
    }
}

/// `12:00:00`, with a fraction or not, and with its zone.
fn is_time(text: &str) -> bool {
    let (Some(clock), Some(rest)) = (text.get(..8), text.get(8..)) else {
        return false;
    };
    let in_range = |part: &str, limit: u32| part.len() == 2 && part.parse::<u32>().is_ok_and(|number| number < limit);
    let parts: Vec<&str> = clock.split(':').collect();
    let [hour, minute, second] = parts.as_slice() else {
        return false;
    };
    let zone = match rest.strip_prefix('.') {
        Some(fraction) => fraction.trim_start_matches(|digit: char| digit.is_ascii_digit()),
        None => rest,
    };
    let is_offset = |offset: &str| {
        offset
            .split_once(':')
            .is_some_and(|(hours, minutes)| in_range(hours, 24) && in_range(minutes, 60))
    };
    in_range(hour, 24)
        && in_range(minute, 60)
        && in_range(second, 61)
        && (zone.eq_ignore_ascii_case("z") || zone.strip_prefix(['+', '-']).is_some_and(is_offset))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_means_all_its_hours() {
        let since = read_moment("2026-03-31", Bound::From);
        assert_eq!(since.as_deref(), Some("2026-03-31T00:00:00Z"));
        for (day, next) in [
            ("2026-03-31", "2026-04-01T00:00:00Z"),
            ("2026-12-31", "2027-01-01T00:00:00Z"),
            ("2024-02-28", "2024-02-29T00:00:00Z"),
            ("2023-02-28", "2023-03-01T00:00:00Z"),
        ] {
            assert_eq!(read_moment(day, Bound::Through).as_deref(), Some(next));
        }
    }

    #[test]
    fn a_moment_is_passed_on_and_nonsense_is_refused() {
        for moment in [
            "2026-03-31T12:00:00Z",
            "2026-03-31T12:00:00.250Z",
            "2026-03-31T12:00:00+02:00",
        ] {
            assert_eq!(read_moment(moment, Bound::Through).as_deref(), Some(moment));
        }
        for bad in [
            "",
            "yesterday",
            "2026-02-30",
            "2026-13-01",
            "26-01-01",
            "2026-01-01T25:00:00Z",
            "2026-01-01T12:00:00",
            "2026-01-01T12:00Z",
            "2026-01-01' OR 1=1 --",
        ] {
            assert_eq!(read_moment(bad, Bound::From), None, "{bad:?}");
        }
    }
}
