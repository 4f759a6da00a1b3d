import { geoEqualEarth, geoPath } from "d3-geo";
import codes from "i18n-iso-countries/codes.json";
import { feature } from "topojson-client";
import atlas from "world-atlas/countries-110m.json";

export const mapBox = { width: 960, height: 440 };

export interface CountryShape {
  /** ISO 3166-1, two letters; empty for areas that have none. */
  readonly code: string;
  readonly path: string;
}

const antarctica = "010";
const kosovo = "Kosovo";

/** Every country of the atlas as the path of an SVG. */
export function countryShapes(): readonly CountryShape[] {
  // A file of the package, whose type TypeScript reads too narrowly.
  const world = atlas as unknown as Parameters<typeof feature>[0];
  const { countries: shapes } = world.objects;
  const all = shapes === undefined ? undefined : feature(world, shapes);
  if (all === undefined || !("features" in all)) return [];
  const lettersOf = new Map(codes.map(([letters = "", , number = ""]) => [number, letters]));
  const countries = { ...all, features: all.features.filter(({ id }) => id !== antarctica) };
  const projection = geoEqualEarth().fitSize([mapBox.width, mapBox.height], countries);
  const draw = geoPath(projection).digits(1);
  return countries.features.map((country) => ({
    // Databases of addresses use XK; ISO 3166 has no number for it.
    code:
      country.properties?.["name"] === kosovo ? "XK" : (lettersOf.get(String(country.id)) ?? ""),
    path: draw(country) ?? "",
  }));
}
