import { useMemo } from "react";
import type { LaidOutCell, LaidOutItem, LaidOutTable } from "@/ipc/bindings";
import { tableRows } from "@/lib/laid-out";
import { MarkedText } from "./marked-text";
import type { TextMark } from "./marks";

interface ItemTableProps {
  item: LaidOutItem;
  table: LaidOutTable;
  marks: readonly TextMark[];
  opening: number;
}

/** A table with its cells where they belong; a cell with cited words in it is outlined. */
export function ItemTable({ item, table, marks, opening }: ItemTableProps) {
  const rows = useMemo(() => tableRows(table), [table]);
  return (
    <div className="laid-out-table" data-ref={item.ref}>
      <table>
        <tbody>
          {rows.map(({ row, cells }) => (
            <tr key={row}>
              {cells.map((cell) => (
                <Cell key={cell.column} cell={cell} marks={marks} opening={opening} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ cell, marks, opening }: { cell: LaidOutCell; marks: readonly TextMark[]; opening: number }) {
  const inside = marks
    .filter((mark) => mark.start < cell.end && mark.end > cell.start)
    .map((mark) => ({ ...mark, start: Math.max(0, mark.start - cell.start), end: mark.end - cell.start }));
  const look = {
    rowSpan: cell.row_span,
    colSpan: cell.column_span,
    "data-cited": inside.some((mark) => mark.kind === "quote"),
  };
  const words = <MarkedText text={cell.text} marks={inside} opening={opening} />;
  if (!cell.header) {
    return (
      <td {...look} data-figure={isFigure(cell.text)}>
        {words}
      </td>
    );
  }
  const scope = cell.column === 0 && cell.row > 0 ? "row" : "col";
  return (
    <th scope={scope} {...look}>
      {words}
    </th>
  );
}

/** Figures stand on the right, one under another. */
function isFigure(text: string): boolean {
  return /^[\s(]*[-+−–$€£¥]*\s*\d[\d\s.,’']*\s*[%)€£]*\s*$/.test(text);
}
