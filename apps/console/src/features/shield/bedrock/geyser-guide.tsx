import { Trans, useLingui } from "@lingui/react/macro";
import type { Bedrock } from "@palisade/contract/http/bedrock";
import { useState } from "react";
import { Panel } from "#src/ui/panel.tsx";
import { Snippet } from "#src/ui/snippet.tsx";
import { TabList } from "#src/ui/tab-list.tsx";
import classes from "./bedrock.module.css";
import { floodgateSnippet, geyserSnippets } from "./geyser-snippets.ts";

type Form = "newer" | "older";

/** How Geyser and Floodgate are set up behind the edges. */
export function GeyserGuide({ bedrock }: { readonly bedrock: Bedrock }) {
  const { t } = useLingui();
  const [form, setForm] = useState<Form>("newer");
  const { edge_addresses: addresses } = bedrock;
  const snippets = geyserSnippets(addresses);
  return (
    <div className={classes["guide"]}>
      <Panel prominent title={<Trans>How to set up Geyser</Trans>}>
        <ol className={classes["steps"]}>
          <li>
            <Trans>
              Install Geyser as a plugin of your server or proxy, or as a program of its own.
            </Trans>
          </li>
          <li>
            <Trans>
              Change its config.yml as below, then restart it. With PROXY protocol, Geyser sees the
              addresses of the players, and takes them from the edges alone.
            </Trans>
          </li>
          <li>
            <Trans>
              Open its UDP port in your firewall for the addresses of the edges, and for no others.
            </Trans>
          </li>
          <li>
            <Trans>
              Under Backends, enter the UDP port as the Bedrock port of the server, and choose PROXY
              protocol "First datagram".
            </Trans>
          </li>
        </ol>
        <TabList<Form>
          label={t`Form of config.yml`}
          current={form}
          tabs={[
            { name: "newer", label: t`config-version 5 and later` },
            { name: "older", label: t`config-version 4` },
          ]}
          onChoose={setForm}
        >
          <div className={classes["snippets"]}>
            <Snippet title={t`Players to Geyser`} file="Geyser config.yml" text={snippets[form]} />
            <Snippet
              title={t`Geyser to a server that expects PROXY protocol`}
              file="Geyser config.yml (server)"
              text={snippets.toServer[form]}
            />
          </div>
        </TabList>
        {addresses.length === 0 ? (
          <p className={classes["closed"]}>
            <Trans>
              No edge has told its address yet. Copy the text again later: with an empty list,
              Geyser accepts addresses of players from anyone.
            </Trans>
          </p>
        ) : null}
      </Panel>
      <Panel prominent title={<Trans>Floodgate</Trans>}>
        <p className={classes["text"]}>
          <Trans>
            Floodgate lets players of Bedrock in without an account for Java. If Geyser runs apart
            from the server, copy key.pem from the folder of Floodgate into the folder of Geyser:
            both need the same file. Keep it secret: with it, anyone can join under any name.
          </Trans>
        </p>
        <Snippet
          title={t`On a proxy, if the servers behind it have Floodgate as well`}
          file="Floodgate config.yml"
          text={floodgateSnippet}
        />
      </Panel>
    </div>
  );
}
