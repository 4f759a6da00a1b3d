import { Trans } from "@lingui/react/macro";
import { withTrace } from "@palisade/contract/http/server-messages";
import type { ReactNode } from "react";
import { MinecraftText } from "#src/ui/minecraft-text.tsx";
import { useDiscordInvite } from "../operator.queries.tsx";
import { longKickLines } from "./long-lines.ts";
import classes from "./preview.module.css";
import { fillPlaceholders } from "./placeholder-samples.ts";

/** The screen that a refused player sees. */
export function KickScreen({ label, text }: { label: string; text: string }) {
  const discord = useDiscordInvite();
  const shown = fillPlaceholders(withTrace(text), discord);
  const long = longKickLines(shown).join(", ");
  return (
    <GamePicture
      label={label}
      warning={
        long === "" ? null : (
          <Trans>
            Too wide for the game's window, so it continues on the next line. Line: {long}
          </Trans>
        )
      }
    >
      <div className={classes["kick"]}>
        <span className={classes["heading"]}>
          <Trans>Failed to connect to the server</Trans>
        </span>
        <MinecraftText text={shown} />
        <span className={classes["back"]}>
          <Trans>Back to server list</Trans>
        </span>
      </div>
    </GamePicture>
  );
}

interface GamePictureProps {
  readonly label: string;
  /** Text of the picture that does not fit into the game's window. */
  readonly warning: ReactNode;
  readonly children: ReactNode;
}

/** The game's own colours need not meet our contrast: assistive technology treats it as a picture. */
export function GamePicture({ label, warning, children }: GamePictureProps) {
  return (
    <figure className={classes["figure"]}>
      <figcaption>{label}</figcaption>
      <div className={classes["screen"]} aria-hidden="true">
        {children}
      </div>
      <div role="status">{warning ? <p className={classes["warning"]}>{warning}</p> : null}</div>
    </figure>
  );
}
