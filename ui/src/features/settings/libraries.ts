/** What the window is built from, with the licence each comes under. A test compares this with the packages. */
export const libraries: readonly { name: string; licence: string }[] = [
  { name: "@base-ui/react", licence: "MIT" },
  { name: "@tanstack/react-query", licence: "MIT" },
  { name: "@tanstack/react-virtual", licence: "MIT" },
  { name: "@tauri-apps/api", licence: "Apache-2.0 OR MIT" },
  { name: "i18next", licence: "MIT" },
  { name: "katex", licence: "MIT" },
  { name: "lucide-react", licence: "ISC" },
  { name: "react", licence: "MIT" },
  { name: "react-dom", licence: "MIT" },
  { name: "react-i18next", licence: "MIT" },
  { name: "react-markdown", licence: "MIT" },
  { name: "react-resizable-panels", licence: "MIT" },
  { name: "remark-gfm", licence: "MIT" },
  { name: "tinykeys", licence: "MIT" },
  { name: "zustand", licence: "MIT" },
];
