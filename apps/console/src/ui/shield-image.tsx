import classes from "./shield-image.module.css";

/** The shield's own picture, else its initial on a tile: the same shield, always the same tile. */
export function ShieldImage({ src, name }: { src: string | null; name: string }) {
  if (src !== null) return <img className={classes["image"]} src={src} alt="" />;
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
