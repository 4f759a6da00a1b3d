import { Button, Checkbox, Menu, Skeleton, Switch, TextInput } from "@mantine/core";
import { IconCircleCheck, IconShieldBolt, IconShieldPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Banner } from "#src/ui/banner.tsx";
import { ChoiceCard } from "#src/ui/choice-card.tsx";
import { CopyButton } from "#src/ui/copy-button.tsx";
import { DnsRecord } from "#src/ui/dns-record.tsx";
import { EmptyState } from "#src/ui/empty-state.tsx";
import { ErrorState } from "#src/ui/error-state.tsx";
import { Logo } from "#src/ui/logo.tsx";
import { MinecraftText } from "#src/ui/minecraft-text.tsx";
import { PageHead } from "#src/ui/page-head.tsx";
import { Pager } from "#src/ui/pager.tsx";
import { Panel } from "#src/ui/panel.tsx";
import { LanguageSwitch, ThemeSwitch } from "#src/ui/preference-switches.tsx";
import { Segments } from "#src/ui/segments.tsx";
import { ServerListRow } from "#src/ui/server-list-row.tsx";
import { ShieldStatus } from "#src/ui/shield-status.tsx";
import { ShieldImage } from "#src/ui/shield-image.tsx";
import { Sparkline } from "#src/ui/sparkline.tsx";
import { StatCard } from "#src/ui/stat-card.tsx";
import { StepBar } from "#src/ui/step-bar.tsx";
import { TimeChart } from "#src/ui/time-chart.tsx";
import { RelativeTime } from "#src/ui/time.tsx";
import { toast } from "#src/ui/toasts.tsx";
import classes from "./gallery.module.css";

/** Every ui component on one page. It exists in development only, so its labels are not translated. */
const wave = Array.from({ length: 61 }, (_, index) => 40 + Math.round(25 * Math.sin(index / 5)));
const start = Date.UTC(2026, 0, 1, 12);
const times = wave.map((_, index) => new Date(start + index * 60_000));

export function GalleryPage() {
  return (
    <main className={classes["page"]}>
      <PageHead
        title="Gallery"
        aside={
          <Row>
            <ThemeSwitch />
            <LanguageSwitch />
          </Row>
        }
      />
      <Controls />
      <Feedback />
      <Wizard />
      <Charts />
      <Texts />
    </main>
  );
}

function Row({ children }: { children: ReactNode }) {
  return <div className={classes["row"]}>{children}</div>;
}

function Controls() {
  return (
    <Panel prominent title="Controls">
      <Row>
        <Button>Primary</Button>
        <Button variant="default">Default</Button>
        <Button variant="subtle">Subtle</Button>
        <Button disabled>Disabled</Button>
        <Button loading aria-label="Busy" />
        <CopyButton value="k7f3q2m9xw4t.gs.localhost" label="Copy the CNAME target" />
        <Menu>
          <Menu.Target>
            <Button variant="default">Menu</Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item>First</Menu.Item>
            <Menu.Item>Second</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Row>
      <div className={classes["fields"]}>
        <TextInput label="Field" placeholder="Placeholder" />
        <TextInput label="With an error" defaultValue="999.1.1.1" error="Wrong address" />
        <TextInput label="Disabled" defaultValue="Read only" disabled />
        <Checkbox label="Checkbox" defaultChecked />
        <Switch label="Switch" defaultChecked withThumbIndicator={false} />
        <Switch label="Switch, off" withThumbIndicator={false} />
      </div>
      <div className={classes["fields"]} role="radiogroup" aria-label="Choice">
        {["First", "Second"].map((name) => (
          <ChoiceCard
            key={name}
            name="choice"
            value={name}
            checked={name === "First"}
            onChoose={() => undefined}
          >
            {name}
          </ChoiceCard>
        ))}
        <ChoiceCard name="choice" value="no" checked={false} disabled onChoose={() => undefined}>
          Not available
        </ChoiceCard>
      </div>
      <Pager page={2} lastPage={9} onPage={() => undefined} />
    </Panel>
  );
}

function Feedback() {
  return (
    <Panel prominent title="Feedback">
      <div className={classes["stack"]}>
        <Banner tone="protected" icon={<IconCircleCheck size={17} stroke={1.6} />}>
          Blacklist updated: applied on <strong>3/3 edges</strong> in <strong>0.24 s</strong>
        </Banner>
        <Banner tone="attack" icon={<IconShieldBolt size={17} stroke={1.6} />}>
          Under attack
        </Banner>
        <Banner tone="danger" icon={<IconShieldBolt size={17} stroke={1.6} />}>
          Refused
        </Banner>
        <Banner tone="neutral" icon={<IconCircleCheck size={17} stroke={1.6} />}>
          Waiting
        </Banner>
      </div>
      <Row>
        {(["success", "info", "error"] as const).map((type) => (
          <Button key={type} variant="default" onClick={() => toast(type, `A toast: ${type}`)}>
            Toast: {type}
          </Button>
        ))}
      </Row>
      <EmptyState
        icon={<IconShieldPlus size={22} stroke={1.6} />}
        title="Empty"
        text="What this is for."
        action={<Button>The one next step</Button>}
      />
      <ErrorState error={null} title="Failed" onRetry={() => undefined} />
      <Skeleton height={24} width={220} />
    </Panel>
  );
}

function Wizard() {
  return (
    <Panel prominent title="Wizard">
      <div className={classes["stack"]}>
        <StepBar
          label="Steps"
          steps={[
            { title: "Done", state: "done" },
            { title: "Current", state: "current" },
            { title: "Ahead", state: "ahead" },
          ]}
          renderStep={(_, content) => <span>{content}</span>}
        />
        <ServerListRow
          name="Skyline"
          latencyMs={8}
          status={{
            motd: ["§b§lSkyline §7Survival", "§7Season 4 starts on §aFriday"],
            version: "1.21.4",
            players_online: 12,
            players_max: 100,
            favicon: null,
          }}
        />
        <ServerListRow name="Looking" latencyMs={null} status={null} waiting />
        <DnsRecord
          type="CNAME"
          parts={[
            { label: "Name", value: "play.example.com", copy: "Copy the record name" },
            { label: "Target", value: null, copy: "Copy the record target" },
          ]}
        />
      </div>
    </Panel>
  );
}

function Charts() {
  return (
    <>
      <div className={classes["fields"]}>
        <StatCard
          title="Stat"
          value="612"
          note="Last 24 hours"
          picture={<Sparkline values={wave} tone="protected" label="A wave" />}
        />
        <StatCard
          title="Parts"
          value="4"
          note="3 active"
          picture={<Segments total={4} filled={3} />}
        />
        <StatCard title="Loading" value="" note="" loading />
      </div>
      <Panel title="Time chart">
        <TimeChart
          label="Example"
          times={times}
          format={String}
          series={[
            { label: "admitted", tone: "protected", values: wave },
            { label: "refused", tone: "attack", values: wave.map((value) => 100 - value) },
          ]}
        />
      </Panel>
    </>
  );
}

function Texts() {
  return (
    <Panel prominent title="States and texts">
      <Row>
        {(["active", "expired", "blocked", "deleted"] as const).map((status) => (
          <ShieldStatus key={status} status={status} underAttack={false} />
        ))}
        <ShieldStatus status="active" underAttack />
        <ShieldStatus status="active" underAttack={false} isUsedUp />
        <ShieldStatus status="active" underAttack={false} isUnpaid />
        <Logo />
        {["Skyline", "Lobby", "Event", "Isles"].map((name) => (
          <ShieldImage key={name} id="" src={null} name={name} />
        ))}
        <RelativeTime at="2026-01-01T12:00:00Z" />
        <span className="mono">203.0.113.5</span>
      </Row>
      <div className={classes["game"]}>
        <MinecraftText text="§aGreen §lbold§r &e&nunderlined&r &bplain" />
      </div>
    </Panel>
  );
}
