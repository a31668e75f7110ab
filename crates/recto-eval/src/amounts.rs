//! Whether an answer gives the amounts it should.

use recto_answer::numbers::{Figure, figures};

/// How far an amount may be from the one expected, as a share of it.
const TOLERANCE: f64 = 0.01;

/// Of the amounts and percentages of `expected`, how many there are and how many `answer` gives. Years and dates do not
/// count: a question mostly names them itself.
pub(crate) fn given(expected: &str, answer: &str) -> (u32, u32) {
    let here = figures(answer);
    let wanted: Vec<Figure> = figures(expected).into_iter().filter(Figure::is_amount).collect();
    let found = wanted
        .iter()
        .filter(|wanted| here.iter().any(|here| wanted.is_near(here, TOLERANCE)));
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    (count(wanted.len()), count(found.count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_compared_by_value_and_years_are_not_asked_for() {
        let expected = "Net sales were $82,959 million in 2022, up 2 %.";
        assert_eq!(given(expected, "They were $82.96 billion, 2% more [1]."), (2, 2));
        assert_eq!(given(expected, "They were 82,959 and rose by 3 % [1]."), (2, 1));
        assert_eq!(given(expected, "In 2022 they were $92,959 million."), (2, 0));
        assert_eq!(given("It was in 2022.", "2022"), (0, 0));
    }

    #[test]
    fn a_percentage_is_no_amount_and_a_loss_no_gain() {
        assert_eq!(given("5 %", "5"), (1, 0));
        assert_eq!(given("-1,200", "1,200"), (1, 0));
        assert_eq!(given("-1,200", "(1,200)"), (1, 1));
    }
}
