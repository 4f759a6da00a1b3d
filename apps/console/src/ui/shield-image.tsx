import { serverMessageRoutes } from "@palisade/contract/http/server-messages";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#src/api/client.ts";
import { PngImage } from "./png-image.tsx";
import classes from "./shield-image.module.css";

interface ShieldImageProps {
  readonly id: string;
  /** The picture's address, which changes with the picture; null without one. */
  readonly src: string | null;
  readonly name: string;
}

/**
 * The shield's picture, or else its initial on a coloured tile that depends on the name. Both are
 * decoration: the name stands beside them.
 */
export function ShieldImage({ id, src, name }: ShieldImageProps) {
  // The api requires the token, which an <img> does not send.
  const isOfApi = src?.startsWith("/api/") ?? false;
  const { data } = useQuery({
    queryKey: ["servers", id, "image", src],
    queryFn: async ({ signal }) =>
      (await call(serverMessageRoutes.getServerImage, { params: { id }, signal })).data.image,
    enabled: isOfApi,
    staleTime: Infinity,
  });
  // The picture may be a backend's icon, whose pixels the api has not checked.
  const [broken, setBroken] = useState<string>();
  if (data !== undefined && data !== broken) {
    return <PngImage uri={data} className={classes["image"]} onError={() => setBroken(data)} />;
  }
  if (src !== null && !isOfApi) return <img className={classes["image"]} src={src} alt="" />;
  return (
    <span className={classes["image"]} data-tile={tileOf(name)} aria-hidden="true">
      {Array.from(name)[0]?.toUpperCase()}
    </span>
  );
}

const tiles = 4;

function tileOf(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973;
  return sum % tiles;
}
