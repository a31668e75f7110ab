use super::{default_collection, with_collection, writable};
use recto_core::ErrorCode;
use recto_library::{Enqueued, Error, Identity, Job, JobFilter, JobId, Library, NewJob, Outcome, State};

pub(crate) fn file(uri: &str) -> NewJob {
    NewJob {
        collection: default_collection(),
        uri: uri.to_owned(),
        options: "{}".to_owned(),
        priority: 0,
        sha256: None,
    }
}

fn queued(library: &Library, uri: &str) -> JobId {
    match library.enqueue(&file(uri), 1).unwrap() {
        Enqueued::New(id) => id,
        other => panic!("{uri} is new, not {other:?}"),
    }
}

fn claimed(library: &Library, now_ms: i64) -> Job {
    let mut jobs = library.claim(1, now_ms).unwrap();
    assert_eq!(jobs.len(), 1, "a job is due");
    jobs.remove(0)
}

fn state(library: &Library, id: JobId) -> State {
    library.job(id).unwrap().expect("known").state
}

fn damaged() -> recto_core::Error {
    recto_core::Error::new(ErrorCode::Damaged, "The file is damaged.")
}

fn busy() -> recto_core::Error {
    recto_core::Error::transient(ErrorCode::ModelUnreachable, "The model server does not answer.")
}

#[test]
fn jobs_are_claimed_by_priority_and_then_in_the_order_they_came() {
    let folder = tempfile::tempdir().unwrap();
    let library = with_collection(folder.path());
    queued(&library, "/b.pdf");
    queued(&library, "/a.pdf");
    let urgent = NewJob {
        priority: 5,
        ..file("/urgent.pdf")
    };
    library.enqueue(&urgent, 1).unwrap();
    let held = queued(&library, "/held.pdf");
    library.set_paused(held, true, 1).unwrap();
    let order: Vec<String> = library.claim(9, 2).unwrap().into_iter().map(|job| job.uri).collect();
    assert_eq!(order, ["/urgent.pdf", "/b.pdf", "/a.pdf"]);
    assert!(
        library.claim(9, 2).unwrap().is_empty(),
        "claimed once, and a paused job waits"
    );
    library.set_paused(held, false, 3).unwrap();
    assert_eq!(claimed(&library, 3).id, held);
}

#[test]
fn a_job_moved_to_the_front_is_next_and_the_last_one_moved_is_first() {
    let folder = tempfile::tempdir().unwrap();
    let library = with_collection(folder.path());
    let at_work = queued(&library, "/at-work.pdf");
    assert_eq!(claimed(&library, 1).id, at_work);
    let (first, second, third) = (
        queued(&library, "/1.pdf"),
        queued(&library, "/2.pdf"),
        queued(&library, "/3.pdf"),
    );
    assert!(library.move_to_front(second, 2).unwrap());
    assert!(library.move_to_front(third, 2).unwrap());
    assert!(!library.move_to_front(JobId(99), 2).unwrap(), "there is no such job");
    let order: Vec<JobId> = library.claim(9, 3).unwrap().into_iter().map(|job| job.id).collect();
    assert_eq!(order, [third, second, first]);
}

#[test]
fn t50_the_same_file_twice_at_once_is_one_job() {
    let folder = tempfile::tempdir().unwrap();
    let library = with_collection(folder.path());
    let added: Vec<Enqueued> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| library.enqueue(&file("/same.pdf"), 1).unwrap()))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let new = added.iter().filter(|added| matches!(added, Enqueued::New(_))).count();
    assert_eq!(new, 1, "{added:?}");
    assert_eq!(library.jobs(&JobFilter::default()).unwrap().len(), 1);
}

#[test]
fn t50_the_same_bytes_under_two_names_are_read_one_after_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let library = with_collection(folder.path());
    let (first, second) = (queued(&library, "/a.pdf"), queued(&library, "/b.pdf"));
    assert_eq!(library.claim(2, 1).unwrap().len(), 2);
    assert_eq!(library.identify(first, "aa", 2).unwrap(), Identity::Mine);
    assert_eq!(library.identify(second, "aa", 2).unwrap(), Identity::HeldBy(first));
    library.release(second, 10, 2).unwrap();
    assert!(library.finish(first, State::Ready, 5).unwrap());
    assert!(
        library.claim(1, 9).unwrap().is_empty(),
        "not before the moment it was released to"
    );
    let again = claimed(&library, 10);
    assert_eq!(
        (again.id, again.attempts),
        (second, 1),
        "waiting for the other is not an attempt"
    );
    assert_eq!(library.identify(second, "aa", 11).unwrap(), Identity::Mine);
}

#[test]
fn t51_bytes_that_failed_are_not_tried_again_unless_the_person_asks() {
    let folder = tempfile::tempdir().unwrap();
    let library = with_collection(folder.path());
    let id = queued(&library, "/bad.pdf");
    claimed(&library, 1);
    library.identify(id, "bad0", 1).unwrap();
    assert_eq!(library.fail(id, &damaged(), 2).unwrap(), Outcome::Ended(State::Damaged));

    // A sweep that knows the hash is refused at once, under any name.
    let copy = NewJob {
        sha256: Some("bad0".to_owned()),
        ..file("/copy.pdf")
    };
    for _ in 0..3 {
        let Enqueued::FailedBefore(failure) = library.enqueue(&copy, 3).unwrap() else {
            panic!("remembered");
        };
        assert_eq!((failure.state, failure.code.as_str()), (State::Damaged, "damaged"));
    }
    // One that does not know it yet ends as soon as the bytes are hashed.
    let unhashed = queued(&library, "/third.pdf");
    claimed(&library, 4);
    assert!(matches!(
        library.identify(unhashed, "bad0", 4).unwrap(),
        Identity::FailedBefore(_)
    ));
    assert_eq!(state(&library, unhashed), State::Damaged);
    assert_eq!(
        library.jobs(&JobFilter::default()).unwrap().len(),
        2,
        "no copy of the refused ones is kept"
    );

    assert!(library.retry(id, 5).unwrap());
    assert_eq!(library.remembered_failure(&default_collection(), "bad0").unwrap(), None);
    assert_eq!(claimed(&library, 5).id, id);
    assert_eq!(library.identify(id, "bad0", 5).unwrap(), Identity::Mine);
}

#[test]
fn a_passing_failure_is_tried_six_times_with_growing_pauses() {
    let folder = tempfile::tempdir().unwrap();
    let library = with_collection(folder.path());
    let id = queued(&library, "/a.pdf");
    let mut now = 1_000;
    let mut pauses = Vec::new();
    loop {
        claimed(&library, now);
        library.identify(id, "aa", now).unwrap();
        match library.fail(id, &busy(), now).unwrap() {
            Outcome::Again { at_ms } => {
                assert!(library.claim(1, at_ms - 1).unwrap().is_empty(), "not before its time");
                assert_eq!(library.next_turn().unwrap(), Some(at_ms));
                pauses.push(at_ms - now);
                now = at_ms;
            }
            Outcome::Ended(end) => {
                assert_eq!(end, State::Failed);
                break;
            }
            Outcome::Gone => panic!("the job is there"),
        }
    }
    assert_eq!(pauses, [2_000, 7_000, 25_000, 85_000, 300_000]);
    assert_eq!(library.remembered_failure(&default_collection(), "aa").unwrap(), None);
    let job = library.job(id).unwrap().unwrap();
    assert_eq!(job.error_code.as_deref(), Some("model_unreachable"));
}

#[test]
fn a_killed_engine_leaves_a_queue_that_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (running, ended) = {
        let library = with_collection(folder.path());
        let (running, ended) = (queued(&library, "/a.pdf"), queued(&library, "/b.pdf"));
        library.claim(2, 1).unwrap();
        library.progress(running, State::Embedding, 3, 9, 2).unwrap();
        library.finish(ended, State::ReadyWithGaps, 2).unwrap();
        (running, ended)
    };
    let library = writable(folder.path());
    assert_eq!(state(&library, ended), State::ReadyWithGaps);
    let job = claimed(&library, 3);
    assert_eq!(
        (job.id, job.attempts),
        (running, 1),
        "the attempt that was cut off does not count"
    );
}

#[test]
fn t47_what_is_shown_comes_from_the_stored_state() {
    let folder = tempfile::tempdir().unwrap();
    let library = with_collection(folder.path());
    let id = queued(&library, "/a.pdf");
    claimed(&library, 1);
    assert!(library.progress(id, State::Reading, 7, 9, 2).unwrap());
    let reader = Library::open(folder.path(), recto_library::OpenMode::ReadOnly).unwrap();
    let seen = reader.job(id).unwrap().unwrap();
    assert_eq!((seen.state, seen.done, seen.total), (State::Reading, 7, 9));
    library.finish(id, State::Ready, 3).unwrap();
    let seen = reader.job(id).unwrap().unwrap();
    assert_eq!(
        (seen.state, seen.done, seen.total),
        (State::Ready, 0, 0),
        "no stale 89 % beside `ready`"
    );
    assert!(
        !library.progress(id, State::Reading, 8, 9, 4).unwrap(),
        "a late report does not reopen an ended job"
    );
    assert_eq!(state(&library, id), State::Ready);
}

#[test]
fn t60_every_job_ends_and_can_be_deleted_in_any_state() {
    let folder = tempfile::tempdir().unwrap();
    let library = with_collection(folder.path());
    for code in [
        ErrorCode::PasswordRequired,
        ErrorCode::Damaged,
        ErrorCode::UnsupportedType,
        ErrorCode::Empty,
        ErrorCode::TooLarge,
        ErrorCode::TimedOut,
        ErrorCode::OutOfMemory,
        ErrorCode::Cancelled,
        ErrorCode::NotFound,
        ErrorCode::Internal,
    ] {
        let id = queued(&library, code.as_str());
        claimed(&library, 1);
        let Outcome::Ended(end) = library.fail(id, &recto_core::Error::new(code, "No."), 2).unwrap() else {
            panic!("{code} is final");
        };
        assert!(!end.is_live(), "{code}");
        assert!(library.remove_job(id).unwrap().is_some(), "{code}");
    }
    let waiting = queued(&library, "/waiting.pdf");
    assert!(library.remove_job(waiting).unwrap().is_some());
    let running = queued(&library, "/running.pdf");
    claimed(&library, 3);
    assert!(library.remove_job(running).unwrap().is_some_and(|job| job.claimed));
    assert!(
        !library.progress(running, State::Reading, 1, 2, 4).unwrap(),
        "the worker learns that it is gone"
    );
    assert_eq!(library.fail(running, &busy(), 4).unwrap(), Outcome::Gone);
    assert!(library.jobs(&JobFilter::default()).unwrap().is_empty());
}

#[test]
fn a_cancelled_job_stays_cancelled_whatever_its_worker_still_reports() {
    let folder = tempfile::tempdir().unwrap();
    let library = with_collection(folder.path());
    let id = queued(&library, "/a.pdf");
    claimed(&library, 1);
    assert!(library.cancel(id, 2).unwrap());
    assert!(!library.finish(id, State::Ready, 3).unwrap());
    assert_eq!(library.identify(id, "aa", 3).unwrap(), Identity::Gone);
    assert_eq!(state(&library, id), State::Cancelled);
    assert!(!library.cancel(id, 4).unwrap(), "it is not live any more");
    assert!(library.retry(id, 5).unwrap());
    assert_eq!(claimed(&library, 5).id, id);
}

#[test]
fn a_paused_queue_hands_out_nothing_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let library = with_collection(folder.path());
    queued(&library, "/a.pdf");
    library.pause_queue("3.2 GB are missing on the disk.").unwrap();
    assert!(library.claim(1, 1).unwrap().is_empty());
    let status = library.queue_status().unwrap();
    assert_eq!((status.paused, status.waiting, status.running), (true, 1, 0));
    assert_eq!(status.reason.as_deref(), Some("3.2 GB are missing on the disk."));
    drop(library);
    let library = writable(folder.path());
    assert!(library.queue_status().unwrap().paused, "pausing survives a restart");
    library.resume_queue().unwrap();
    claimed(&library, 2);
}

#[test]
fn jobs_are_listed_by_collection_place_and_state() {
    let folder = tempfile::tempdir().unwrap();
    let library = with_collection(folder.path());
    let odd = "/tmp/'; DROP TABLE jobs; --\u{202e}報告 (最終)_Ⅲ.pdf ";
    queued(&library, odd);
    queued(&library, "/b.pdf");
    claimed(&library, 1);
    let one = JobFilter {
        uri: Some(odd.to_owned()),
        ..JobFilter::default()
    };
    assert_eq!(library.jobs(&one).unwrap()[0].uri, odd, "a name is data");
    let waiting = JobFilter {
        states: vec![State::Queued],
        ..JobFilter::default()
    };
    assert_eq!(library.jobs(&waiting).unwrap()[0].uri, "/b.pdf");
    let limited = JobFilter {
        limit: Some(1),
        ..JobFilter::default()
    };
    assert_eq!(library.jobs(&limited).unwrap().len(), 1);
    let elsewhere = NewJob {
        collection: recto_core::CollectionName("none".to_owned()),
        ..file("/c.pdf")
    };
    assert!(matches!(
        library.enqueue(&elsewhere, 1),
        Err(Error::UnknownCollection { .. })
    ));
}
