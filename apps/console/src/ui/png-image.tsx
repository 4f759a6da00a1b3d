import { useEffect, useRef } from "react";
import { blobUrlOf } from "#src/lib/data-uri.ts";

interface PngImageProps {
  readonly uri: string;
  readonly className: string | undefined;
  /** The browser cannot draw it. */
  readonly onError?: () => void;
}

/** The content security policy forbids data: images, so the image becomes a blob. */
export function PngImage({ uri, className, onError }: PngImageProps) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const url = blobUrlOf(uri);
    if (url === null || image.current === null) return undefined;
    image.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [uri]);
  return <img ref={image} className={className} alt="" onError={onError} />;
}
