import { Trans, useLingui } from "@lingui/react/macro";
import { MinecraftText } from "#src/ui/minecraft-text.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { GamePicture, KickScreen } from "./kick-screen.tsx";
import classes from "./preview.module.css";
import { shownTexts, type Group, type Texts } from "./message-diff.ts";
import { useMessageFields } from "./message-fields.ts";

/** What players will see, beside what is typed. */
export function MessagesPreview({ group, texts }: { group: Group; texts: Texts }) {
  const fields = useMessageFields();
  const shown = shownTexts(texts, group);
  const kicks = Object.keys(shown).filter((name) => fields[name]?.multiline);
  return (
    <Panel title={<Trans>Preview</Trans>} className={classes["preview"]}>
      {group === "offline" ? <ServerListRow texts={shown} /> : null}
      {kicks.map((name) => (
        <KickScreen key={name} label={fields[name]?.label ?? name} text={shown[name] ?? ""} />
      ))}
    </Panel>
  );
}

function ServerListRow({ texts }: { texts: Texts }) {
  const { t } = useLingui();
  return (
    <GamePicture label={t`Server list`}>
      <div className={classes["row"]}>
        <span className={classes["icon"]} />
        <div className={classes["lines"]}>
          <div className={classes["first"]}>
            <span>Minecraft Server</span>
            <MinecraftText text={texts["version_info"] ?? ""} />
          </div>
          <div className={classes["motd"]}>
            <MinecraftText text={texts["motd_line1"] ?? ""} />
            <br />
            <MinecraftText text={texts["motd_line2"] ?? ""} />
          </div>
        </div>
      </div>
    </GamePicture>
  );
}
