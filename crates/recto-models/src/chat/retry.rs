//! Asking again where a server said that it cannot answer just now.

use async_trait::async_trait;
use recto_core::{ChatEvent, ChatModel, ChatRequest, ChatStream, Error, ModelLimits, Result, Usage};
use std::collections::VecDeque;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often and how long a request is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Most tries, the first included.
    pub tries: u32,
    /// The wait after the first; it doubles with each further one.
    pub first_wait: Duration,
    /// No wait is longer, unless the server asks for it.
    pub longest_wait: Duration,
    /// No try begins later than this after the first.
    pub deadline: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            tries: 4,
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_secs(20),
            deadline: Duration::from_secs(90),
        }
    }
}

impl RetryPolicy {
    /// A single try.
    #[must_use]
    pub fn never() -> Self {
        Self {
            tries: 1,
            ..Self::default()
        }
    }

    /// The wait before the next try, after `failed` tries of which the last ended in `error`; `None` to give up.
    fn wait(&self, error: &Error, failed: u32, elapsed: Duration, jitter: f64) -> Option<Duration> {
        // Only what a server answered with is tried again: one that does not answer has used up its deadline already.
        let asked = error.retry_after?;
        if failed >= self.tries {
            return None;
        }
        let doubled = self
            .first_wait
            .saturating_mul(1 << (failed - 1).min(20))
            .min(self.longest_wait);
        // Clients that were turned away together must not all come back together.
        let own = doubled.mul_f64(0.5 + jitter.clamp(0.0, 1.0) / 2.0);
        // A server is not asked before the time it named, nor is it much later.
        let wait = if asked > own { asked + own / 10 } else { own };
        (elapsed + wait <= self.deadline).then_some(wait)
    }
}

/// Time and chance, so that tests need neither.
#[async_trait]
pub trait Pace: Send + Sync {
    /// The time.
    fn now(&self) -> Instant;

    /// Waits.
    async fn wait(&self, time: Duration);

    /// A number from 0 to 1, another one each time.
    fn jitter(&self) -> f64;
}

/// The clock on the wall.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealPace;

#[async_trait]
impl Pace for RealPace {
    fn now(&self) -> Instant {
        Instant::now()
    }

    async fn wait(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }

    fn jitter(&self) -> f64 {
        // Every hasher has keys of its own.
        (RandomState::new().hash_one(0) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Runs `call` until it succeeds, fails for good, or `policy` ends it.
pub(crate) async fn repeat<T, F>(policy: &RetryPolicy, pace: &dyn Pace, mut call: impl FnMut() -> F) -> Result<T>
where
    F: Future<Output = Result<T>> + Send,
{
    let begun = pace.now();
    let mut failed = 0;
    loop {
        let error = match call().await {
            Ok(done) => return Ok(done),
            Err(error) => error,
        };
        failed += 1;
        match policy.wait(&error, failed, pace.now() - begun, pace.jitter()) {
            Some(wait) => pace.wait(wait).await,
            None => return Err(error),
        }
    }
}

/// A chat model that is asked again while it has said nothing. A reply that has begun is never repeated.
pub struct Retrying {
    model: Arc<dyn ChatModel>,
    policy: RetryPolicy,
    pace: Arc<dyn Pace>,
}

impl Retrying {
    /// `model` under `policy`.
    #[must_use]
    pub fn new(model: Arc<dyn ChatModel>, policy: RetryPolicy) -> Self {
        Self::with_pace(model, policy, Arc::new(RealPace))
    }

    /// The same with a clock of one's own.
    #[must_use]
    pub fn with_pace(model: Arc<dyn ChatModel>, policy: RetryPolicy, pace: Arc<dyn Pace>) -> Self {
        Self { model, policy, pace }
    }

    /// A reply that has begun, with what came before its first text; or how it failed before, with what that cost.
    async fn attempt(&self, request: &ChatRequest) -> Result<Begun, (Error, Option<Usage>)> {
        let mut stream = self.model.chat(request).await.map_err(|error| (error, None))?;
        let mut first = VecDeque::new();
        let mut cost = None;
        loop {
            match stream.next().await {
                Some(Ok(event)) => {
                    let is_begun = matches!(event, ChatEvent::Delta(_) | ChatEvent::ToolCall(_) | ChatEvent::Done);
                    if let ChatEvent::Usage(usage) = event {
                        cost = Some(usage);
                    }
                    first.push_back(event);
                    if is_begun {
                        return Ok(Begun { first, stream });
                    }
                }
                Some(Err(error)) => return Err((error, cost)),
                None => return Ok(Begun { first, stream }),
            }
        }
    }
}

struct Begun {
    first: VecDeque<ChatEvent>,
    stream: Box<dyn ChatStream>,
}

#[async_trait]
impl ChatModel for Retrying {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn limits(&self) -> ModelLimits {
        self.model.limits()
    }

    async fn learn_limits(&self) -> Result<ModelLimits> {
        repeat(&self.policy, &*self.pace, || self.model.learn_limits()).await
    }

    async fn chat(&self, request: &ChatRequest) -> Result<Box<dyn ChatStream>> {
        let begun = self.pace.now();
        let mut failed = 0;
        let mut before = Usage::default();
        loop {
            let (error, cost) = match self.attempt(request).await {
                Ok(reply) => {
                    return Ok(Box::new(Resumed {
                        first: reply.first,
                        stream: Some(reply.stream),
                        before: (failed > 0).then_some(before),
                        error: None,
                    }));
                }
                Err(failure) => failure,
            };
            failed += 1;
            before = sum(
                before,
                cost.unwrap_or(Usage {
                    calls: 1,
                    ..Usage::default()
                }),
            );
            let elapsed = self.pace.now() - begun;
            match self.policy.wait(&error, failed, elapsed, self.pace.jitter()) {
                Some(wait) => self.pace.wait(wait).await,
                None if failed == 1 && cost.is_none() => return Err(error),
                // The only way to tell what the tries cost.
                None => {
                    return Ok(Box::new(Resumed {
                        first: VecDeque::from([ChatEvent::Usage(before)]),
                        stream: None,
                        before: None,
                        error: Some(error),
                    }));
                }
            }
        }
    }
}

/// Counts of two calls; a count that one of them lacks is that of the other.
fn sum(a: Usage, b: Usage) -> Usage {
    let add = |a: Option<u32>, b: Option<u32>| match (a, b) {
        (Some(a), Some(b)) => Some(a.saturating_add(b)),
        (a, b) => a.or(b),
    };
    Usage {
        input_tokens: add(a.input_tokens, b.input_tokens),
        output_tokens: add(a.output_tokens, b.output_tokens),
        calls: a.calls + b.calls,
    }
}

/// A reply after its beginning was looked at, with the cost of the tries before it.
struct Resumed {
    first: VecDeque<ChatEvent>,
    stream: Option<Box<dyn ChatStream>>,
    /// The cost of the tries before, until it has been told.
    before: Option<Usage>,
    error: Option<Error>,
}

impl Resumed {
    /// Tells the cost of all tries in one event.
    fn with_cost(&mut self, event: ChatEvent) -> ChatEvent {
        match event {
            ChatEvent::Usage(usage) => ChatEvent::Usage(match self.before.take() {
                Some(before) => sum(before, usage),
                None => usage,
            }),
            ChatEvent::Done => match self.before.take() {
                // The model reports no usage, but the tries count all the same.
                Some(before) => {
                    self.first.push_front(ChatEvent::Done);
                    let last = Usage {
                        calls: 1,
                        ..Usage::default()
                    };
                    ChatEvent::Usage(sum(before, last))
                }
                None => ChatEvent::Done,
            },
            other => other,
        }
    }
}

#[async_trait]
impl ChatStream for Resumed {
    async fn next(&mut self) -> Option<Result<ChatEvent>> {
        if let Some(event) = self.first.pop_front() {
            return Some(Ok(self.with_cost(event)));
        }
        if let Some(error) = self.error.take() {
            return Some(Err(error));
        }
        match self.stream.as_mut()?.next().await? {
            Ok(event) => Some(Ok(self.with_cost(event))),
            Err(error) => Some(Err(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recto_core::ErrorCode;

    fn momentary(asked: Duration) -> Error {
        Error {
            retry_after: Some(asked),
            ..Error::transient(ErrorCode::ModelUnreachable, "busy")
        }
    }

    #[test]
    fn waits_double_up_to_the_longest_and_never_undercut_what_was_asked() {
        let policy = RetryPolicy {
            tries: 9,
            deadline: Duration::from_secs(1000),
            ..RetryPolicy::default()
        };
        let busy = momentary(Duration::ZERO);
        let full = |failed| policy.wait(&busy, failed, Duration::ZERO, 1.0);
        let seconds: Vec<_> = (1..9).map(|failed| full(failed).expect("goes on").as_secs()).collect();
        assert_eq!(seconds, [1, 2, 4, 8, 16, 20, 20, 20]);
        assert_eq!(full(9), None, "the tries are used up");
        assert_eq!(
            policy.wait(&busy, 1, Duration::ZERO, 0.0),
            Some(Duration::from_millis(500))
        );
        let asked = momentary(Duration::from_secs(30));
        let wait = policy.wait(&asked, 1, Duration::ZERO, 0.3).expect("goes on");
        assert!(wait >= Duration::from_secs(30) && wait < Duration::from_secs(31));
    }

    #[test]
    fn no_try_begins_after_the_deadline_and_none_without_an_answer() {
        let policy = RetryPolicy::default();
        let wait = |error: &Error, elapsed| policy.wait(error, 1, Duration::from_secs(elapsed), 1.0);
        assert!(wait(&momentary(Duration::ZERO), 89).is_some());
        assert_eq!(wait(&momentary(Duration::ZERO), 90), None);
        assert_eq!(
            wait(&momentary(Duration::from_secs(3600)), 0),
            None,
            "an hour is no moment"
        );
        assert_eq!(wait(&Error::transient(ErrorCode::ModelUnreachable, "silent"), 0), None);
    }

    #[test]
    fn chance_is_within_its_bounds() {
        for _ in 0..100 {
            assert!((0.0..1.0).contains(&RealPace.jitter()));
        }
    }
}
