import type { MessageDescriptor } from "@lingui/core";
import { msg } from "@lingui/core/macro";
import type { ChartSeries, SeriesColour } from "./chart/series.ts";
import type { Values } from "./values.ts";

export type Format = (value: number) => string;

/** A series whose label is not translated yet. */
export type Line = Omit<ChartSeries, "label"> & { readonly label: MessageDescriptor };

export function line(
  id: string,
  label: MessageDescriptor,
  colour: SeriesColour,
  values: Values,
  total: number | null | undefined,
  format: Format,
): Line {
  const isKnown = total !== null && total !== undefined;
  return { id, label, colour, values, total: isKnown ? format(total) : undefined };
}

/** The same figure of the period before, where it was asked for. */
export function previous(
  id: string,
  values: Values | null | undefined,
  total: number | null | undefined,
  format: Format,
): Line[] {
  if (values === null || values === undefined) return [];
  return [line(`${id}_before`, msg`period before`, "previous", values, total, format)];
}
