import { useCallback } from "react";

interface PageImageProps {
  address: string;
  label: string;
  onLoad?: () => void;
  onError?: () => void;
}

/** A rendered page. When it leaves the window before it has come, it is no longer waited for. */
export function PageImage({ address, label, onLoad, onError }: PageImageProps) {
  const stopOnLeave = useCallback((image: HTMLImageElement) => {
    return () => {
      if (!image.complete) {
        image.removeAttribute("src");
      }
    };
  }, []);
  return (
    <img
      ref={stopOnLeave}
      src={address}
      alt={label}
      draggable={false}
      decoding="async"
      onLoad={onLoad}
      onError={onError}
    />
  );
}
