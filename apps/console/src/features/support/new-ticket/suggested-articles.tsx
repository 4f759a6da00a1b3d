import { Trans } from "@lingui/react/macro";
import { IconArrowRight, IconChevronRight } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useLingui } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { useDeferredValue } from "react";
import { paths } from "#src/lib/paths.ts";
import { Panel } from "#src/ui/panel.tsx";
import classes from "../support.module.css";
import { rankArticles } from "./rank-articles.ts";

/** Loaded with the first letter of the subject. */
const articlesQuery = queryOptions({
  queryKey: ["tickets", "articles"],
  queryFn: async () => (await import("./articles.ts")).articles,
  staleTime: Infinity,
});

type Article = Awaited<ReturnType<NonNullable<typeof articlesQuery.queryFn>>>[number];

interface SuggestedArticlesProps {
  readonly subject: string;
  readonly serverId: string;
}

/** Articles about the words of the subject, which may answer the question at once. */
export function SuggestedArticles({ subject, serverId }: SuggestedArticlesProps) {
  const { i18n } = useLingui();
  const asked = useDeferredValue(subject.trim());
  const { data: articles = [] } = useQuery({ ...articlesQuery, enabled: asked !== "" });
  const found = rankArticles(
    articles.map((article) => ({
      ...article,
      title: i18n._(article.title),
      keywords: i18n._(article.keywords),
    })),
    asked,
  );
  return (
    <div aria-live="polite">
      {found.length === 0 ? null : (
        <Panel prominent title={<Trans>This may help</Trans>}>
          <ul className={classes["articles"]}>
            {found.map(({ id, title, text, link }) => (
              <li key={id}>
                <details>
                  <summary>
                    <IconChevronRight size={15} stroke={1.8} aria-hidden="true" />
                    {title}
                  </summary>
                  <p>{i18n._(text)}</p>
                  <ArticleLink link={link} serverId={serverId} />
                </details>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </div>
  );
}

/** Opens in another tab, so that the form stays. */
function ArticleLink({ link, serverId }: { link: Article["link"]; serverId: string }) {
  const { i18n } = useLingui();
  const label = (
    <>
      {i18n._(link.label)}
      <IconArrowRight size={14} stroke={1.8} aria-hidden="true" />
    </>
  );
  if ("page" in link) {
    return (
      <Link to={paths[link.page]} target="_blank">
        {label}
      </Link>
    );
  }
  // A section belongs to a shield: without one, the dashboard shows them all.
  if (serverId === "") {
    return (
      <Link to={paths.dashboard} target="_blank">
        <Trans>Choose the Game Shield</Trans>
        <IconArrowRight size={14} stroke={1.8} aria-hidden="true" />
      </Link>
    );
  }
  const section = link.section === "overview" ? undefined : link.section;
  return (
    <Link to={paths.shield} params={{ shieldId: serverId, section }} target="_blank">
      {label}
    </Link>
  );
}
