import { Copy, MessageCircleQuestionMark, Search } from "lucide-react";
import { type RefObject, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import type { DocumentView } from "@/ipc/bindings";
import { runAction } from "@/lib/actions";
import { copyText } from "@/lib/clipboard";
import { pageShortName } from "@/lib/format";
import { onOneLine, type SelectedText, selectedText } from "@/lib/selection";
import { useView } from "@/state/view";

const room = 44;
const halfWidth = 190;
/** A longer selection is searched for by its beginning. */
const longestSearch = 200;

interface Offered extends SelectedText {
  left: number;
  top: number;
}

/** What can be done with the words selected in the reader; appears when a selection has been made. */
export function SelectionMenu({ root, view }: { root: RefObject<HTMLElement | null>; view: DocumentView }) {
  const { t } = useTranslation();
  const [offered, setOffered] = useSelection(root);
  const setDraft = useView((state) => state.setDraft);
  const openSearch = useView((state) => state.openSearch);
  const [copied, setCopied] = useState(false);
  if (offered === null) {
    return null;
  }
  const words = onOneLine(offered.text);
  const done = () => {
    window.getSelection()?.removeAllRanges();
    setOffered(null);
    setCopied(false);
  };
  const copyQuote = async () => {
    const place = pageShortName(view.pages, offered.pages);
    const quote =
      place === ""
        ? t("reader.quoteUnplaced", { quote: words, title: view.title })
        : t("reader.quotePlaced", { quote: words, title: view.title, place });
    setCopied(await copyText(quote));
  };
  return (
    <div
      role="toolbar"
      aria-label={t("reader.selection")}
      data-testid="selection-menu"
      className="-translate-x-1/2 fixed z-40 flex items-center gap-0.5 rounded-md border border-line bg-paper p-1 shadow-xl"
      style={{ left: offered.left, top: offered.top }}
      // The selection stays while a button is pressed.
      onPointerDown={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.preventDefault();
          done();
        }
      }}
    >
      <Button
        kind="quiet"
        onClick={() => {
          setDraft(t("reader.askAboutDraft", { words }));
          runAction("focusQuestion");
          done();
        }}
      >
        <MessageCircleQuestionMark aria-hidden size={13} />
        {t("reader.askAbout")}
      </Button>
      <Button
        kind="quiet"
        onClick={() => {
          openSearch(words.slice(0, longestSearch));
          done();
        }}
      >
        <Search aria-hidden size={13} />
        {t("reader.findInLibrary")}
      </Button>
      <Button kind="quiet" onClick={() => void copyQuote()}>
        <Copy aria-hidden size={13} />
        {copied ? t("app.copied") : t("reader.copyQuote")}
      </Button>
    </div>
  );
}

/** The selection inside `root`, once it has been made; null while there is none. */
function useSelection(root: RefObject<HTMLElement | null>) {
  const [offered, setOffered] = useState<Offered | null>(null);
  useEffect(() => {
    const read = (event: Event) => {
      if (event.target instanceof Element && event.target.closest("[data-testid=selection-menu]") !== null) {
        return;
      }
      const selection = window.getSelection();
      const selected = root.current === null ? null : selectedText(selection, root.current);
      const place = selected === null ? undefined : selection?.getRangeAt(0).getBoundingClientRect();
      setOffered(
        selected === null || place === undefined
          ? null
          : {
              ...selected,
              left: Math.min(Math.max(place.left + place.width / 2, halfWidth), window.innerWidth - halfWidth),
              top: place.top > room ? place.top - room : Math.min(place.bottom + 8, window.innerHeight - room),
            },
      );
    };
    const clear = () => {
      if (window.getSelection()?.isCollapsed !== false) {
        setOffered(null);
      }
    };
    document.addEventListener("pointerup", read);
    document.addEventListener("keyup", read);
    document.addEventListener("selectionchange", clear);
    return () => {
      document.removeEventListener("pointerup", read);
      document.removeEventListener("keyup", read);
      document.removeEventListener("selectionchange", clear);
    };
  }, [root]);
  return [offered, setOffered] as const;
}
