//! Prepares the Tauri context: capabilities and, where the UI was not built yet, a placeholder for it.
fn main() {
    let dist = std::path::Path::new("ui/dist");
    // The UI is built into the program; without this a new build of it would not be noticed.
    println!("cargo:rerun-if-changed=ui/dist");
    if !dist.join("index.html").exists() {
        std::fs::create_dir_all(dist).expect("cannot create ui/dist");
        std::fs::write(
            dist.join("index.html"),
            "<!doctype html><title>Recto</title><p>Build the UI: npm --prefix ui run build</p>",
        )
        .expect("cannot write the placeholder UI");
    }
    let attributes = tauri_build::Attributes::new().capabilities_path_pattern("src-tauri/capabilities/**/*");
    if let Err(error) = tauri_build::try_build(attributes) {
        panic!("tauri build failed: {error:#}");
    }
}
