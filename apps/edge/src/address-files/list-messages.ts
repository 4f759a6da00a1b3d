import type { Combined } from "./combine.ts";
import type { SourceFile } from "./read-source.ts";
import type { ParsedList, SourceRead } from "./parsed-list.ts";

/** Between an edge and the thread that reads its lists; one answer for each. */
export type ListJob =
  | { readonly kind: "read"; readonly file: SourceFile }
  | { readonly kind: "combine"; readonly images: readonly ParsedList[] };

export type ListAnswer =
  | { readonly kind: "read"; readonly read: SourceRead }
  | { readonly kind: "combine"; readonly combined: Combined };
