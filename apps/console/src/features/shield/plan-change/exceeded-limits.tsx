import { Trans, useLingui } from "@lingui/react/macro";
import { antibotLevels } from "@palisade/contract/edge/plain-values";
import type { ExceededLimit } from "@palisade/contract/http/plan-changes";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { bytes } from "#src/lib/format.ts";
import { paths } from "#src/lib/paths.ts";
import { useLocale } from "#src/lib/preferences.ts";
import { Banner } from "#src/ui/banner.tsx";
import { useLevelLabels } from "../level-labels.ts";
import type { SectionName } from "../sections.ts";
import classes from "./plan-change.module.css";

/** The section that takes back what is too much; traffic cannot be taken back. */
const sectionOfLimit: Readonly<Record<ExceededLimit["limit"], SectionName | null>> = {
  domains: "domains",
  backend_groups: "backends",
  locations: "domains",
  antibot_level: "mitigation",
  anti_vpn: "mitigation",
  traffic: null,
};

interface ExceededLimitsProps {
  readonly shieldId: string;
  readonly exceeded: readonly ExceededLimit[];
  readonly onFollow: () => void;
}

/** The limits of the chosen plan that the shield exceeds, each with the way to change it. */
export function ExceededLimits({ shieldId, exceeded, onFollow }: ExceededLimitsProps) {
  return (
    <Banner
      tone="danger"
      live="polite"
      icon={<IconAlertTriangle size={17} stroke={1.6} aria-hidden="true" />}
    >
      <strong>
        <Trans>The shield has more than this plan allows</Trans>
      </strong>
      <ul className={classes["exceeded"]}>
        {exceeded.map((each) => {
          const section = sectionOfLimit[each.limit];
          return (
            <li key={each.limit}>
              <Exceeded {...each} />{" "}
              {section === null ? null : (
                <Link
                  to={paths.shield}
                  params={{ shieldId, section }}
                  search={{}}
                  onClick={onFollow}
                >
                  <Change limit={each.limit} />
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </Banner>
  );
}

function Exceeded({ limit, used, allowed }: ExceededLimit): ReactNode {
  const { locale } = useLocale();
  const levels = useLevelLabels();
  const levelAt = (rank: number) => levels[antibotLevels[rank] ?? "disabled"];
  switch (limit) {
    case "domains":
      return (
        <Trans>
          Domains: {used}, allowed: {allowed}.
        </Trans>
      );
    case "backend_groups":
      return (
        <Trans>
          Backend groups: {used}, allowed: {allowed}.
        </Trans>
      );
    case "locations":
      return <Trans>Locations that the plan does not include: {used}.</Trans>;
    case "antibot_level": {
      const level = levelAt(used);
      const most = levelAt(allowed);
      return (
        <Trans>
          AntiBot level: {level}, allowed up to {most}.
        </Trans>
      );
    }
    case "anti_vpn":
      return <Trans>Anti-VPN is on, and the plan does not include it.</Trans>;
    case "traffic": {
      const sum = bytes(locale, used);
      const most = bytes(locale, allowed);
      return (
        <Trans>
          Traffic this month: {sum}, allowed: {most}. It resets on the 1st.
        </Trans>
      );
    }
    default:
      return limit satisfies never;
  }
}

/** Each link says where it leads, because a screen reader lists links alone. */
function Change({ limit }: { limit: ExceededLimit["limit"] }) {
  const { t } = useLingui();
  switch (limit) {
    case "backend_groups":
      return t`Open Backends`;
    case "antibot_level":
    case "anti_vpn":
      return t`Open Mitigation`;
    case "domains":
    case "locations":
      return t`Open Domains`;
    case "traffic":
      return null;
    default:
      return limit satisfies never;
  }
}
