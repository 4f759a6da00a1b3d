import { effectiveServerMessages } from "@palisade/contract/http/server-messages";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { paths } from "#src/lib/paths.ts";
import { Panel } from "#src/ui/panel.tsx";
import { KickScreen } from "#src/features/shield/customization/kick-screen.tsx";
import { useMessageFields } from "#src/features/shield/customization/message-fields.ts";
import { messagesQuery } from "#src/features/shield/shield.queries.ts";
import { useMayChange } from "../may-change.ts";
import type { ListType } from "./firewall-diff.ts";
import classes from "./firewall.module.css";

/** The message refused players see. The lists work without it, so a failed read shows nothing. */
export function KickMessagePanel({ shieldId, list }: { shieldId: string; list: ListType }) {
  const { data } = useQuery(messagesQuery(shieldId));
  const fields = useMessageFields();
  const mayChange = useMayChange();
  if (!data) return null;
  const name = list === "blacklist" ? "blacklist_msg" : "whitelist_msg";
  return (
    <Panel title={<Trans>What players see</Trans>}>
      <KickScreen
        label={fields[name]?.label ?? ""}
        text={effectiveServerMessages(data.value).firewall[name]}
      />
      {mayChange ? (
        <p className={classes["edit"]}>
          <Link
            to={paths.shield}
            params={{ shieldId, section: "customization" }}
            search={{ tab: "firewall" }}
          >
            <Trans>Change the message</Trans>
          </Link>
        </p>
      ) : null}
    </Panel>
  );
}
