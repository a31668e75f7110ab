import { memo, useState } from "react";
import { useTranslation } from "react-i18next";
import { LinkDialog } from "@/components/link-dialog";
import type { DocumentView, PageLink, PageSize, PageText } from "@/ipc/bindings";
import { useIpc } from "@/ipc/provider";
import { usePageText } from "@/ipc/queries";
import { boxInPercent } from "@/lib/geometry";
import { unitWidth } from "@/lib/text-measure";
import { beginSelecting } from "./select-words";
import { useGoTo } from "./use-go-to";

interface TextLayerProps {
  view: DocumentView;
  size: PageSize;
  /** Whether the page is near enough to be read. */
  wanted: boolean;
}

/** The words of a page, unseen over its picture, for selecting and for being read out; over them the page's links. */
export const TextLayer = memo(function TextLayer({ view, size, wanted }: TextLayerProps) {
  const text = usePageText(view, size.number, wanted).data;
  if (text === undefined) {
    return null;
  }
  return (
    <>
      <Words text={text} size={size} />
      {text.links.map((link) => (
        <LinkArea key={`${link.at.left},${link.at.top},${link.uri ?? link.page}`} link={link} size={size} />
      ))}
    </>
  );
});

const Words = memo(function Words({ text, size }: { text: PageText; size: PageSize }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: selecting text is no control
    <div
      className="text-layer"
      data-testid={`text-${size.number}`}
      data-page={size.number}
      onMouseDown={beginSelecting}
    >
      {text.words.map((word, at) => {
        const height = word.bottom - word.top;
        const natural = unitWidth(word.text);
        const stretch =
          natural === null || natural === 0 || height <= 0 ? 1 : (word.right - word.left) / (natural * height);
        const { left, top } = boxInPercent(word, size);
        return (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the words of a page never change
            key={at}
            data-word={word.line}
            style={{
              left,
              top,
              // A share of the page's height, as everything else here: it holds at any zoom.
              fontSize: `${((height / size.height) * 100).toFixed(4)}cqh`,
              transform: `scaleX(${stretch.toFixed(4)})`,
            }}
          >
            {`${word.text} `}
          </span>
        );
      })}
    </div>
  );
});

/** A link of the page: inside the document at once, outside only after its address was shown. */
function LinkArea({ link, size }: { link: PageLink; size: PageSize }) {
  const { t } = useTranslation();
  const ipc = useIpc();
  const goTo = useGoTo();
  const [asking, setAsking] = useState(false);
  const place = boxInPercent(link.at, size);
  const { uri, page } = link;
  if (page !== null) {
    return (
      <button
        type="button"
        className="page-link"
        style={place}
        aria-label={t("reader.linkToPage", { number: page })}
        title={t("reader.linkToPage", { number: page })}
        onClick={() => goTo({ kind: "page", page, box: null })}
      />
    );
  }
  if (uri === null || !/^(https?|mailto):/i.test(uri)) {
    return null;
  }
  return (
    <>
      <button
        type="button"
        className="page-link"
        style={place}
        aria-label={t("reader.linkOutside", { address: uri })}
        title={uri}
        onClick={() => setAsking(true)}
      />
      {asking && (
        <LinkDialog address={uri} onOpen={() => void ipc.openExternal(uri)} onClose={() => setAsking(false)} />
      )}
    </>
  );
}
