import { Trans, useLingui } from "@lingui/react/macro";
import { placeholdersOf, type MessageName } from "@palisade/contract/http/server-messages";
import { colourCodes, styleCodes } from "#src/lib/minecraft-codes.ts";
import colours from "#src/ui/minecraft-colours.module.css";
import classes from "./palette.module.css";

interface CodePaletteProps {
  /** The message that the buttons insert into. */
  readonly name: MessageName;
  readonly label: string;
  readonly hasDiscord: boolean;
  readonly onInsert: (text: string) => void;
}

/** Inserts formatting codes and placeholders at the cursor of the current message. */
export function CodePalette({ name, label, hasDiscord, onInsert }: CodePaletteProps) {
  const { t } = useLingui();
  const styleNames: Record<string, string> = {
    k: t`Obfuscated`,
    l: t`Bold`,
    m: t`Strikethrough`,
    n: t`Underlined`,
    o: t`Italic`,
  };
  const placeholders = placeholdersOf(name).filter((each) => each !== "{discord}" || hasDiscord);
  return (
    <div className={classes["palette"]} role="group" aria-label={t`Insert into ${label}`}>
      <p className={classes["target"]}>
        <Trans>
          Insert into <strong>{label}</strong>
        </Trans>
      </p>
      <div className={classes["codes"]}>
        {colourCodes.map((code) => (
          <button
            key={code}
            type="button"
            className={`${colours["colour"]} ${classes["colour"]}`}
            data-color={code}
            aria-label={t`Colour §${code}`}
            onClick={() => onInsert(`§${code}`)}
          />
        ))}
        {styleCodes.map((code) => (
          <button
            key={code}
            type="button"
            className={classes["style"]}
            data-style={code}
            aria-label={`${styleNames[code] ?? ""} §${code}`}
            onClick={() => onInsert(`§${code}`)}
          >
            {code === "k" ? "?!" : (styleNames[code] ?? code).charAt(0)}
          </button>
        ))}
        <button type="button" className={classes["style"]} onClick={() => onInsert("§r")}>
          <Trans>Reset style</Trans>
        </button>
      </div>
      <div className={classes["codes"]}>
        {placeholders.map((placeholder) => (
          <button
            key={placeholder}
            type="button"
            className={classes["placeholder"]}
            onClick={() => onInsert(placeholder)}
          >
            {placeholder}
          </button>
        ))}
      </div>
    </div>
  );
}
