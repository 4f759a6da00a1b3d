import { Trans } from "@lingui/react/macro";
import { withTrace } from "@palisade/contract/http/server-messages";
import type { ReactNode } from "react";
import { MinecraftText } from "#src/ui/minecraft-text.tsx";
import { useDiscordInvite } from "./discord.queries.ts";
import classes from "./preview.module.css";
import { fillPlaceholders } from "./placeholder-samples.ts";

/** The screen of a player who was not let in. */
export function KickScreen({ label, text }: { label: string; text: string }) {
  const discord = useDiscordInvite();
  return (
    <GamePicture label={label}>
      <div className={classes["kick"]}>
        <span className={classes["heading"]}>
          <Trans>Failed to connect to the server</Trans>
        </span>
        <MinecraftText text={fillPlaceholders(withTrace(text), discord)} />
        <span className={classes["back"]}>
          <Trans>Back to server list</Trans>
        </span>
      </div>
    </GamePicture>
  );
}

/** The game's own colours need not meet our contrast: to assistive technology it is a picture. */
export function GamePicture({ label, children }: { label: string; children: ReactNode }) {
  return (
    <figure className={classes["figure"]}>
      <figcaption>{label}</figcaption>
      <div className={classes["screen"]} aria-hidden="true">
        {children}
      </div>
    </figure>
  );
}
