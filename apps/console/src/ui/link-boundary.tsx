import { Button, Skeleton } from "@mantine/core";
import { Trans, useLingui } from "@lingui/react/macro";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { isTransient } from "#src/api/errors.ts";
import { EmptyState } from "./empty-state.tsx";
import { LoadingRegion } from "./loading-region.tsx";

interface LinkBoundaryProps<T> {
  /** Asked with the token of the link; disabled while the link has none. */
  readonly query: UseQueryResult<T>;
  readonly hasToken: boolean;
  readonly icon: ReactNode;
  /** Shown for a link that is incomplete, has ended or was revoked. */
  readonly gone: Omit<LinkEndProps, "icon" | "className">;
  readonly unreachableTitle: string;
  readonly className?: string | undefined;
  /** In pixels, of the two parts that load. */
  readonly skeletonHeights: readonly [number, number];
  readonly children: (data: T) => ReactNode;
}

/** Shows what is behind a link: the content, a skeleton, that it does not work, or a retry. */
export function LinkBoundary<T>(props: LinkBoundaryProps<T>) {
  const { query, hasToken, icon, gone, unreachableTitle, className, children } = props;
  const { t } = useLingui();
  if (!hasToken || isGone(query.error)) {
    return <LinkEnd icon={icon} className={className} {...gone} />;
  }
  if (query.error && query.data === undefined) {
    return (
      <LinkEnd
        icon={icon}
        className={className}
        title={unreachableTitle}
        text={t`The server could not be reached. The link still works.`}
        action={
          <Button onClick={() => void query.refetch()}>
            <Trans>Try again</Trans>
          </Button>
        }
      />
    );
  }
  if (query.data === undefined) {
    return (
      <LoadingRegion className={className}>
        {props.skeletonHeights.map((height) => (
          <Skeleton key={height} height={height} radius={10} />
        ))}
      </LoadingRegion>
    );
  }
  return children(query.data);
}

/** Whether the link leads to nothing any more. */
export function isGone(error: Error | null): boolean {
  return error !== null && !isTransient(error);
}

interface LinkEndProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
  readonly action?: ReactNode;
  readonly className?: string | undefined;
}

/** The page of a link that leads to nothing; screen readers read it when it appears. */
export function LinkEnd({ icon, title, text, action, className }: LinkEndProps) {
  return (
    <div role="alert" className={className}>
      <EmptyState icon={icon} title={title} text={text} action={action} />
    </div>
  );
}
