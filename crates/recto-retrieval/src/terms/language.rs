//! Languages whose words are stemmed, told apart by their commonest words.

use rust_stemmers::{Algorithm, Stemmer};

/// A language with a stemmer and a list of stop words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// English, also where no language could be told.
    #[default]
    English,
    /// German.
    German,
    /// French.
    French,
    /// Spanish.
    Spanish,
}

impl Language {
    /// All of them, English first.
    pub const ALL: [Self; 4] = [Self::English, Self::German, Self::French, Self::Spanish];

    /// The language most of the stop words of `text` belong to; English unless another one clearly leads.
    #[must_use]
    pub fn guess(text: &str) -> Self {
        let mut counts = [0_usize; 4];
        for word in text.split_whitespace().take(4_000) {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            for (count, language) in counts.iter_mut().zip(Self::ALL) {
                *count += usize::from(language.is_stop_word(&word));
            }
        }
        let mut best = Self::English;
        let mut most = counts[0];
        for (language, count) in Self::ALL.into_iter().zip(counts).skip(1) {
            // Languages share short words ("die", "no", "me"); a clear lead keeps English names and quotes from deciding.
            if count > most.max(1) && count * 2 > counts[0] * 3 {
                (best, most) = (language, count);
            }
        }
        best
    }

    /// Whether `word` (lower case) carries no meaning of its own.
    #[must_use]
    pub fn is_stop_word(self, word: &str) -> bool {
        let list = match self {
            Self::English => ENGLISH,
            Self::German => GERMAN,
            Self::French => FRENCH,
            Self::Spanish => SPANISH,
        };
        list.split_whitespace().any(|stop| stop == word)
    }

    pub(crate) fn stemmer(self) -> Stemmer {
        Stemmer::create(match self {
            Self::English => Algorithm::English,
            Self::German => Algorithm::German,
            Self::French => Algorithm::French,
            Self::Spanish => Algorithm::Spanish,
        })
    }
}

const ENGLISH: &str = "a about after all also am an and any are as at be because been before being between both but by can \
    could did do does doing during each either for from get got had has have having he her here hers him his how i if in \
    into is it it's its itself just let me many may might more most much must my no nor not of off on once only or other \
    our ours out over own please shall she should so some such than that that's the their theirs them then there these \
    they this those through to too under until upon us very was we were what what's when where whether which while who \
    whom whose why will with within would you your yours";
const GERMAN: &str = "aber alle als also am an auch auf aus bei bin bis da dann das dass dem den denn der des die dies diese \
    diesem dieser dieses doch dort du durch ein eine einem einen einer eines er es euer für hat hatte haben ich ihr ihre im \
    in ist ja kann kein keine mit nach nicht noch nun nur ob oder sehr sein seine sich sie sind so über um und uns unser \
    unter vom von vor war waren warum was wegen weil welche welcher welches wenn wer werden wie wieder wir wird wo wurde \
    wurden zu zum zur";
const FRENCH: &str = "à au aux avec c ce ces cette combien comme comment d dans de des du elle elles en est et étaient était \
    été être eu il ils j je l la le les leur leurs lui m mais même mes moi mon n ne nos notre nous on ont ou où par pas \
    plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se ses si son sont sous sur ta te tes \
    toi ton tu un une vos votre vous y";
const SPANISH: &str = "a al algo ante antes aquel aquella como con contra cual cuál cuáles cuando cuándo cuánto cuántos de \
    del desde donde dónde durante e el él ella ellas ellos en entre era eran es esa ese eso esta está están este esto \
    estos fue fueron ha había han hasta hay la las le les lo los más mi mis muy nada ni no nos nosotros o os otra otro \
    para pero por porque qué que quien quién se sea ser si sin sobre son su sus también te tiene tu un una uno unos y ya";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_of_a_text_is_told_by_its_small_words() {
        assert_eq!(
            Language::guess("The sales of the company were higher than in the year before."),
            Language::English
        );
        assert_eq!(
            Language::guess("Der Umsatz der Gesellschaft ist im Jahr nicht gestiegen und wird"),
            Language::German
        );
        assert_eq!(
            Language::guess("Le chiffre d'affaires de la société est en hausse dans les pays"),
            Language::French
        );
        assert_eq!(
            Language::guess("Las ventas de la empresa fueron más altas que en el año"),
            Language::Spanish
        );
        assert_eq!(Language::guess("EBITDA 2022"), Language::English);
    }
}
