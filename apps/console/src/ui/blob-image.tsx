import { useEffect, useRef } from "react";

interface BlobImageProps {
  readonly blob: Blob;
  readonly alt: string;
  readonly className?: string | undefined;
  /** The browser cannot draw it. */
  readonly onError?: () => void;
}

/** An image of bytes that were fetched with the token of the session; no address leads to it. */
export function BlobImage({ blob, alt, className, onError }: BlobImageProps) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    if (image.current === null) return undefined;
    const url = URL.createObjectURL(blob);
    image.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [blob]);
  return <img ref={image} className={className} alt={alt} onError={onError} />;
}
