import { Trans, useLingui } from "@lingui/react/macro";
import { MinecraftText } from "#src/ui/minecraft-text.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { ServerListRow } from "#src/ui/server-list-row.tsx";
import { useDiscordInvite } from "../operator.queries.tsx";
import { GamePicture, KickScreen } from "./kick-screen.tsx";
import { longMotdLines } from "./long-lines.ts";
import { shownTexts, type Group, type Texts } from "./message-texts.ts";
import { isMessageName, useMessageFields } from "./message-fields.ts";
import classes from "./preview.module.css";
import { fillPlaceholders } from "./placeholder-samples.ts";

interface MessagesPreviewProps {
  readonly serverName: string;
  readonly group: Group;
  readonly texts: Texts;
  /** Name of the field being edited. */
  readonly active: string;
}

/** Preview beside the form. The kick screen shows the current message. */
export function MessagesPreview({ serverName, group, texts, active }: MessagesPreviewProps) {
  const fields = useMessageFields();
  const shown = shownTexts(texts, group);
  const kick = group === "offline" ? "offline_kick_msg" : active;
  return (
    <Panel title={<Trans>Preview</Trans>} className={classes["preview"]}>
      {group === "offline" ? <OfflineEntry name={serverName} texts={shown} /> : null}
      {isMessageName(fields, kick) ? (
        <KickScreen label={fields[kick].label} text={shown[kick] ?? ""} />
      ) : null}
    </Panel>
  );
}

function OfflineEntry({ name, texts }: { name: string; texts: Texts }) {
  const { t } = useLingui();
  const discord = useDiscordInvite();
  // On one line, as the api stores them.
  const line = (key: string) => fillPlaceholders(texts[key] ?? "", discord).replace(/\n+/g, " ");
  const info = fillPlaceholders(texts["offline_info"] ?? "", discord);
  const motd = [line("motd_line1"), line("motd_line2")];
  const long = longMotdLines(motd).join(", ");
  return (
    <GamePicture
      label={t`Server list`}
      warning={
        long === "" ? null : (
          <Trans>Too wide for the server list, so players see only a part. MOTD line: {long}</Trans>
        )
      }
    >
      <ServerListRow
        name={name}
        unreachable
        latencyMs={null}
        status={{
          motd,
          version: line("version_info"),
          players_online: 0,
          players_max: 0,
          favicon: texts["offline_image"] || null,
        }}
      />
      {info === "" ? null : (
        <div className={classes["hover"]}>
          <div className={classes["tooltip"]}>
            {info.split("\n").map((text, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- lines have no other name
              <span key={index}>
                <MinecraftText text={text} />
              </span>
            ))}
          </div>
        </div>
      )}
    </GamePicture>
  );
}
