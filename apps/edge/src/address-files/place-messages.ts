import type { PlaceFile } from "./read-places.ts";

/** Between an edge and the thread that reads one file. */
export interface PlaceJob {
  readonly path: string;
}

export type PlaceRead = { readonly file: PlaceFile } | { readonly problem: string };
