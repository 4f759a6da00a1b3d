import { Trans, useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { useCurrentUser } from "#src/api/current-user.ts";
import { paths } from "#src/lib/paths.ts";
import { PaletteButton } from "../palette/palette-button.tsx";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import { TopBarFrame, type TopBarProps } from "./top-bar-frame.tsx";
import classes from "./top-bar.module.css";

export function TopBar(props: TopBarProps) {
  const { t } = useLingui();
  const plan = useCurrentUser()?.current_subscription_plan.name ?? t`Free`;
  return (
    <TopBarFrame {...props} crumbs={<Breadcrumbs />}>
      <PaletteButton />
      <Link to={paths.supportPlans} className={classes["plan"]}>
        <Trans>Support: {plan}</Trans>
      </Link>
    </TopBarFrame>
  );
}
