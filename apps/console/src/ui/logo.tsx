/** The logo: three pales of a palisade. */
export function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" fill="currentColor">
      <path d="M1.5 4.6 3.75 2.2 6 4.6v13.9H1.5zM7.75 4.6 10 2.2l2.25 2.4v13.9h-4.5zM14 4.6l2.25-2.4 2.25 2.4v13.9H14z" />
    </svg>
  );
}
