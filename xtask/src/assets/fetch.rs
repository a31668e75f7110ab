//! Downloading a wheel with pip, the registry's own client, so that the user's proxy and mirror settings hold.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

use super::manifest::{Asset, Source};

/// Downloads the pinned wheel into `work` and returns its path.
pub(super) fn wheel(folder: &Path, asset: &Asset, source: &Source, work: &Path) -> anyhow::Result<PathBuf> {
    let tags = Tags::of(&source.wheel)?;
    let mut command = Command::new(python_with_pip(folder)?);
    command
        .args([
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
        ])
        .args([
            "--only-binary=:all:",
            "--python-version",
            &tags.python,
            "--implementation",
            "cp",
        ]);
    for platform in &tags.platforms {
        command.args(["--platform", platform]);
    }
    command
        .arg("--dest")
        .arg(work)
        .arg(format!("{}=={}", asset.project, asset.version));
    let output = command.output().context("cannot run pip")?;
    if !output.status.success() {
        bail!(
            "pip download failed: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    let path = work.join(&source.wheel);
    if !path.is_file() {
        bail!("pip brought another file than {}", source.wheel);
    }
    Ok(path)
}

/// What a wheel's file name says it runs on, in pip's words.
#[derive(Debug, PartialEq, Eq)]
struct Tags {
    python: String,
    platforms: Vec<String>,
}

impl Tags {
    fn of(wheel: &str) -> anyhow::Result<Self> {
        let parts: Vec<&str> = wheel.strip_suffix(".whl").unwrap_or_default().rsplitn(4, '-').collect();
        let [platforms, _abi, python, _name] = parts.as_slice() else {
            bail!("`{wheel}` is not the file name of a wheel");
        };
        // `cp312` needs that very version; `py3` takes any, so the same one will do.
        let python = match python.strip_prefix("cp3") {
            Some(minor) => format!("3.{minor}"),
            None => "3.12".to_owned(),
        };
        Ok(Self {
            python,
            platforms: platforms.split('.').map(str::to_owned).collect(),
        })
    }
}

/// A Python that has pip: the system's, else one in a virtual environment made for this.
fn python_with_pip(folder: &Path) -> anyhow::Result<PathBuf> {
    let mut first_python = None;
    for name in ["python3", "python"] {
        if runs(Command::new(name).args(["-m", "pip", "--version"])) {
            return Ok(PathBuf::from(name));
        }
        if first_python.is_none() && runs(Command::new(name).arg("--version")) {
            first_python = Some(name);
        }
    }
    let Some(python) = first_python else {
        bail!("Python 3 is needed to fetch the assets, and neither `python3` nor `python` runs");
    };
    let environment = folder.join(".venv");
    let inside = environment.join(if cfg!(windows) {
        "Scripts/python.exe"
    } else {
        "bin/python"
    });
    if !runs(Command::new(&inside).args(["-m", "pip", "--version"])) {
        println!("assets: this Python has no pip; making a virtual environment with one");
        let made = Command::new(python).args(["-m", "venv"]).arg(&environment).status();
        if !made.is_ok_and(|status| status.success()) {
            bail!(
                "`{python} -m venv {}` failed; install the system's package for Python's venv",
                environment.display()
            );
        }
    }
    Ok(inside)
}

fn runs(command: &mut Command) -> bool {
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wheel_name_tells_python_and_every_platform() {
        let tags =
            Tags::of("pypdfium2-5.15.2-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl").expect("a wheel");
        assert_eq!(tags.python, "3.12");
        assert_eq!(tags.platforms, ["manylinux_2_17_x86_64", "manylinux2014_x86_64"]);
        let tags = Tags::of("onnxruntime-1.32.0-cp311-cp311-win_amd64.whl").expect("a wheel");
        assert_eq!(tags.python, "3.11");
        assert_eq!(tags.platforms, ["win_amd64"]);
    }

    #[test]
    fn something_else_than_a_wheel_is_refused() {
        assert!(Tags::of("onnxruntime-1.32.0.tar.gz").is_err());
    }
}
