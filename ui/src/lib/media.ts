import { type RefObject, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";

function subscribe(callback: () => void): () => void {
  window.addEventListener("resize", callback);
  return () => window.removeEventListener("resize", callback);
}

/** The window's width in CSS pixels. */
export function useWindowWidth(): number {
  return useSyncExternalStore(subscribe, () => window.innerWidth);
}

/** Device pixels per CSS pixel; changes with the display and with the window's zoom. */
export function useDevicePixelRatio(): number {
  return useSyncExternalStore(subscribe, () => window.devicePixelRatio || 1);
}

/**
 * An element's inner size, in CSS pixels; zero until it has been laid out and has kept its size for a frame, because
 * a pane that has just been added passes through sizes that are not its own.
 */
export function useElementSize(ref: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) {
      return;
    }
    let frame = 0;
    const read = () => ({ width: element.clientWidth, height: element.clientHeight });
    const settle = (before: { width: number; height: number }) => {
      frame = requestAnimationFrame(() => {
        const now = read();
        if (now.width !== before.width || now.height !== before.height) {
          settle(now);
          return;
        }
        setSize((known) => (known.width === now.width && known.height === now.height ? known : now));
      });
    };
    const changed = () => {
      cancelAnimationFrame(frame);
      settle(read());
    };
    changed();
    const observer = new ResizeObserver(changed);
    observer.observe(element);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
    };
  }, [ref]);
  return size;
}

/** A value that is taken over at once the first time and afterwards only when it has been still for `quietMs`. */
export function useQuiet<T>(value: T, quietMs: number): T {
  const [quiet, setQuiet] = useState(value);
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    const timer = setTimeout(() => setQuiet(value), quietMs);
    return () => clearTimeout(timer);
  }, [value, quietMs]);
  return quiet;
}
