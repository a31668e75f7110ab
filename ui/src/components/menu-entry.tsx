import { Menu } from "@base-ui/react/menu";
import type { ReactNode } from "react";

/** One line of a menu. */
export function MenuEntry({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <Menu.Item
      onClick={onClick}
      className="flex h-7 items-center rounded px-2 outline-none data-[highlighted]:bg-hover"
    >
      {children}
    </Menu.Item>
  );
}
