import { Button, Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { Origin } from "@palisade/contract/http/origin";
import { useQuery } from "@tanstack/react-query";
import { IconAlertTriangle, IconDownload, IconInfoCircle } from "@tabler/icons-react";
import { useState } from "react";
import { saveFile } from "#src/lib/save-file.ts";
import { Banner } from "#src/ui/banner.tsx";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { LoadingRegion } from "#src/ui/loading-region.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { Snippet } from "#src/ui/snippet.tsx";
import { TabList } from "#src/ui/tab-list.tsx";
import classes from "./backends.module.css";
import { originQuery } from "./backends.queries.ts";

export function OriginPanel({ shieldId }: { shieldId: string }) {
  const { t } = useLingui();
  const query = useQuery(originQuery(shieldId));
  const { data } = query;
  if (query.isPending) {
    return (
      <LoadingRegion className={classes["skeletons"]}>
        <Skeleton height={150} radius={10} />
        <Skeleton height={300} radius={10} />
      </LoadingRegion>
    );
  }
  if (!data) {
    return (
      <Panel>
        <ErrorState
          error={query.error}
          title={t`Failed to fetch the addresses of the edges`}
          onRetry={() => void query.refetch()}
        />
      </Panel>
    );
  }
  return (
    <div className={classes["origin"]}>
      <AddressesPanel origin={data} />
      <RulesPanel origin={data} />
      <ChangesPanel origin={data} />
      <SettingsPanel origin={data} />
    </div>
  );
}

function AddressesPanel({ origin }: { origin: Origin }) {
  const { t } = useLingui();
  const { addresses } = origin;
  return (
    <Panel
      prominent
      title={<Trans>Edge addresses</Trans>}
      note={
        <Trans>
          Attackers who learn your server's own address can bypass the protection. Allow only these
          addresses to connect: players always come through them.
        </Trans>
      }
      aside={
        <span className={classes["tools"]}>
          <CopyButton value={addresses.join("\n")} label={t`Copy all addresses`} />
          <Button
            component="a"
            href={origin.addresses_url}
            download="palisade-edges.txt"
            variant="default"
            size="compact-sm"
            leftSection={<IconDownload size={14} stroke={1.7} aria-hidden="true" />}
          >
            <Trans>Download</Trans>
          </Button>
        </span>
      }
    >
      {origin.is_complete ? null : (
        <Banner tone="attack" icon={<IconAlertTriangle size={17} stroke={1.6} />}>
          <Trans>
            The list is not complete: an edge has not reported its address yet. Rules made now would
            lock that edge out. Use them once the list is complete.
          </Trans>
        </Banner>
      )}
      <ul className={classes["addresses"]} aria-label={t`Edge addresses`}>
        {addresses.map((address) => (
          <li key={address} className="mono">
            {address}
            <CopyButton value={address} label={t`Copy ${address}`} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function RulesPanel({ origin }: { origin: Origin }) {
  const { t } = useLingui();
  const { snippets } = origin;
  const [program, setProgram] = useState<Origin["snippets"][number]["program"]>("nftables");
  const shown = snippets.find((snippet) => snippet.program === program);
  const ports = [...origin.ports, ...origin.udp_ports.map((port) => t`${port} for Bedrock`)].join(
    ", ",
  );
  return (
    <Panel
      prominent
      title={<Trans>Firewall rules</Trans>}
      note={
        ports === "" ? null : (
          <Trans>
            The rules affect only the ports of your servers ({ports}). SSH and everything else stay
            as they are.
          </Trans>
        )
      }
    >
      {shown === undefined ? (
        <p className={classes["hint"]}>
          <Trans>There are no rules yet: add a server to a backend group first.</Trans>
        </p>
      ) : (
        <TabList
          label={t`Firewall program`}
          current={program}
          tabs={snippets.map(({ program: name }) => ({ name, label: name }))}
          onChoose={setProgram}
        >
          <WholeFile file={shown.file} text={shown.text} />
        </TabList>
      )}
    </Panel>
  );
}

function ChangesPanel({ origin }: { origin: Origin }) {
  const { refresh } = origin;
  return (
    <Panel
      prominent
      title={<Trans>When edges change</Trans>}
      note={
        <Trans>
          Edges change over time, and each region has its own edges. Let your server fetch the list
          automatically, or apply the new rules before you change the region.
        </Trans>
      }
    >
      {refresh === null ? null : <WholeFile file="palisade-refresh" text={refresh} />}
    </Panel>
  );
}

function SettingsPanel({ origin }: { origin: Origin }) {
  const { t } = useLingui();
  const states = {
    on: t`PROXY protocol is on for your groups: the server must have it on as well.`,
    off: t`PROXY protocol is off for your groups: turn it on for the groups first, then on the server.`,
    mixed: t`PROXY protocol is on for some of your groups: their servers must have it on as well.`,
  };
  return (
    <Panel
      prominent
      title={<Trans>PROXY protocol on your server</Trans>}
      note={states[origin.proxy_protocol]}
    >
      <div className={classes["settings"]}>
        {origin.settings.map(({ software, file, text }) => (
          <div key={software}>
            <h3 className={classes["software"]}>{names[software]}</h3>
            <Snippet file={file} text={text} title={<span className="mono">{file}</span>} />
          </div>
        ))}
      </div>
      <Banner tone="neutral" icon={<IconInfoCircle size={17} stroke={1.6} aria-hidden="true" />}>
        <Trans>
          Spigot does not support PROXY protocol: leave it off for its group, or put Velocity or
          BungeeCord in front of it and let Spigot listen on 127.0.0.1 only (server-ip in
          server.properties).
        </Trans>
      </Banner>
    </Panel>
  );
}

const names = { paper: "Paper", velocity: "Velocity", bungeecord: "BungeeCord" } as const;

interface FileProps {
  readonly file: string;
  readonly text: string;
}

/** A whole file to save, not a part of an existing one. */
function WholeFile({ file, text }: FileProps) {
  const { t } = useLingui();
  return (
    <Snippet
      file={file}
      text={text}
      title={<span className="mono">{file}</span>}
      tools={
        <Button
          variant="subtle"
          size="compact-xs"
          aria-label={t`Download ${file}`}
          onClick={() => saveFile(file, new Blob([text]))}
        >
          <Trans>Download</Trans>
        </Button>
      }
    />
  );
}
