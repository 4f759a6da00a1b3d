import classes from "./auth-picture.module.css";

const pitch = 44;
const pales = Array.from({ length: 13 }, (_, index) => 12 + index * pitch);
const attackers = pales.flatMap((x, index) => (index % 6 === 5 ? [] : [x + 16]));
/** Players pass through gaps between the pales. */
const players = [pales[2], pales[6], pales[9]].map((x = 0) => x - 6);

/** A drawing of the product: attacks end at the palisade, players pass. */
export function AuthPicture() {
  return (
    <div className={classes["frame"]} aria-hidden="true">
      <svg viewBox="0 0 584 560" className={classes["picture"]}>
        {attackers.map((x, index) => {
          const end = 196 - ((index * 37) % 64);
          return (
            <g key={x} className={classes["attack"]}>
              <path d={`M${x} ${(index * 53) % 90}V${end}`} />
              <circle cx={x} cy={end} r="3" />
            </g>
          );
        })}
        {pales.map((x, index) => (
          <path
            key={x}
            className={classes["pale"]}
            d={`M${x} ${238 - (index % 2) * 8}l16-16 16 16V388h-32z`}
          />
        ))}
        {players.map((x) => (
          <path key={x} className={classes["player"]} d={`M${x} 0V404C${x} 452 292 430 292 476`} />
        ))}
        <g className={classes["server"]}>
          <rect x="256" y="476" width="72" height="64" rx="10" />
          <path d="M274 498h36M274 510h36M274 522h20" />
        </g>
      </svg>
    </div>
  );
}
