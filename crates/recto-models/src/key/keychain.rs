//! The system's keychain, through the tool that the system has for it.
//!
//! Linked in, a keychain would bring a message bus and a second set of cryptography with it, for one short secret. The
//! tool is a process of its own: one that hangs, because the keychain asks the person to unlock it, can be killed.

use super::ApiKey;
use async_trait::async_trait;
use recto_core::{Error, ErrorCode, Result};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

/// The name under which Recto's keys are kept.
const SERVICE: &str = "recto";
/// A keychain that is locked or broken must not hold up a question.
const PATIENCE: Duration = Duration::from_secs(2);

/// A place for secrets, each under the name of an account.
#[async_trait]
pub trait Keychain: Send + Sync {
    /// The secret of `account`, or `None` where there is none or no keychain.
    ///
    /// # Errors
    /// `timed_out` when the keychain does not answer; the message says what to do.
    async fn read(&self, account: &str) -> Result<Option<ApiKey>>;

    /// Keeps a secret under `account`, in place of the one before.
    ///
    /// # Errors
    /// `timed_out`, or `model_not_configured` when there is no keychain or it refuses.
    async fn write(&self, account: &str, key: &ApiKey) -> Result<()>;
}

/// The keychain behind `secret-tool` (Linux) or `security` (macOS). Without such a tool it is empty.
#[derive(Debug, Clone)]
pub struct CommandKeychain {
    program: PathBuf,
    patience: Duration,
}

impl Default for CommandKeychain {
    fn default() -> Self {
        let program = if cfg!(target_os = "macos") {
            "/usr/bin/security"
        } else {
            "secret-tool"
        };
        Self::at(Path::new(program))
    }
}

impl CommandKeychain {
    /// The same through another program that understands the same arguments.
    #[must_use]
    pub fn at(program: &Path) -> Self {
        Self {
            program: program.into(),
            patience: PATIENCE,
        }
    }

    /// What the tool wrote, or `None` when it failed or does not exist. Nothing secret is among the arguments, which
    /// other processes can see.
    async fn run(&self, arguments: &[&str], input: &str) -> Result<Option<Vec<u8>>> {
        let spawned = Command::new(&self.program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn();
        let Ok(mut child) = spawned else {
            return Ok(None);
        };
        let done = async {
            if let Some(mut stdin) = child.stdin.take() {
                // A tool that reads no input closes it; what matters is how it ends.
                let _ = stdin.write_all(input.as_bytes()).await;
            }
            child.wait_with_output().await
        };
        match tokio::time::timeout(self.patience, done).await {
            Ok(Ok(output)) if output.status.success() => Ok(Some(output.stdout)),
            Ok(_) => Ok(None),
            Err(_) => Err(Error::transient(
                ErrorCode::TimedOut,
                "The keychain does not answer. Unlock it, or put the key into an environment variable or a file.",
            )),
        }
    }
}

#[async_trait]
impl Keychain for CommandKeychain {
    async fn read(&self, account: &str) -> Result<Option<ApiKey>> {
        let arguments: &[&str] = if cfg!(target_os = "macos") {
            &["find-generic-password", "-s", SERVICE, "-a", account, "-w"]
        } else {
            &["lookup", "service", SERVICE, "account", account]
        };
        let output = self.run(arguments, "").await?;
        let key = output.and_then(|output| String::from_utf8(output).ok());
        Ok(key
            .map(|key| key.trim().to_owned())
            .filter(|key| !key.is_empty())
            .map(ApiKey::new))
    }

    async fn write(&self, account: &str, key: &ApiKey) -> Result<()> {
        let label = format!("Recto: {account}");
        let done = if cfg!(target_os = "macos") {
            let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
            let command = format!(
                "add-generic-password -U -s {SERVICE} -a {} -l {} -w {}\n",
                quoted(account),
                quoted(&label),
                quoted(key.reveal())
            );
            self.run(&["-i"], &command).await?
        } else {
            let arguments = ["store", "--label", &label, "service", SERVICE, "account", account];
            self.run(&arguments, key.reveal()).await?
        };
        done.map(drop).ok_or_else(|| {
            Error::new(
                ErrorCode::ModelNotConfigured,
                "The keychain did not take the key. Put it into an environment variable or a file instead.",
            )
        })
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A script cannot be run while a process that was just forked still has it open for writing, so tests that write
    /// and run one take turns.
    static TURN: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

    /// A tool that does what `script` says.
    fn tool(folder: &tempfile::TempDir, script: &str) -> CommandKeychain {
        let path = folder.path().join("tool");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("writes");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o700)).expect("permits");
        CommandKeychain::at(&path)
    }

    #[tokio::test]
    #[cfg(target_os = "linux")]
    async fn a_key_is_kept_and_found_and_is_no_argument() {
        let _turn = TURN.lock().await;
        let folder = tempfile::tempdir().expect("temporary folder");
        let kept = folder.path().display();
        let script = format!(
            r#"echo "$@" >> {kept}/arguments
case "$1" in
store) cat > {kept}/$7 ;;
lookup) cat {kept}/$5 ;;
esac"#
        );
        let keychain = tool(&folder, &script);
        assert_eq!(keychain.read("openai").await, Ok(None));
        let key = ApiKey::new("sk-secret".into());
        keychain.write("openai", &key).await.expect("is taken");
        assert_eq!(keychain.read("openai").await, Ok(Some(key)));
        let arguments = std::fs::read_to_string(folder.path().join("arguments")).expect("reads");
        assert!(arguments.contains("lookup service recto account openai"), "{arguments}");
        assert!(!arguments.contains("sk-"), "{arguments}");
    }

    #[tokio::test]
    async fn a_keychain_that_hangs_is_given_up() {
        let _turn = TURN.lock().await;
        let folder = tempfile::tempdir().expect("temporary folder");
        let mut keychain = tool(&folder, "exec sleep 60");
        keychain.patience = Duration::from_millis(100);
        let error = keychain.read("openai").await.expect_err("hangs");
        assert_eq!(error.code, ErrorCode::TimedOut);
        assert_eq!(CommandKeychain::default().patience, Duration::from_secs(2));
    }

    #[tokio::test]
    async fn without_a_tool_there_is_no_key_and_none_can_be_kept() {
        let keychain = CommandKeychain::at(Path::new("/nowhere/secret-tool"));
        assert_eq!(keychain.read("openai").await, Ok(None));
        let error = keychain
            .write("openai", &ApiKey::new("sk-secret".into()))
            .await
            .expect_err("cannot");
        assert!(
            error.message.contains("environment variable") && !error.message.contains("secret"),
            "{error}"
        );
    }
}
