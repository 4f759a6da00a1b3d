import { useEffect, useRef } from "react";
import { blobUrlOf } from "#src/lib/data-uri.ts";

/** The content security policy forbids data: images, so the image becomes a blob. */
export function PngImage({ uri, className }: { uri: string; className: string | undefined }) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const url = blobUrlOf(uri);
    if (url === null || image.current === null) return undefined;
    image.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [uri]);
  return <img ref={image} className={className} alt="" />;
}
