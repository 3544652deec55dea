/** A coach's sketch of a drill on half a pitch: chalk lines, cones, and the run around the cones to the goal. */
export function TrainingDrill({ className }: { className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 560 600"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`pointer-events-none text-chalk ${className ?? ''}`}
    >
      <path d="M40 0v560h520" opacity=".55" />
      <path d="M558 0v558" />
      <path d="M40 1h518" />
      <path d="M110 1v166h378V1M200 1v62h198V1" />
      <path d="M236 167a78 78 0 0 0 126 0" />
      <circle cx="299" cy="112" r="3" fill="currentColor" stroke="none" />
      <path d="M215 560a84 84 0 0 1 168 0" />
      <path d="M40 18a17 17 0 0 0 17-17M541 1a17 17 0 0 0 17 17" />
      <path d="M540 560a18 18 0 0 1 18-18" opacity=".55" />
      <g className="text-input">
        {[
          [330, 452],
          [412, 404],
          [334, 346],
          [416, 292],
          [338, 240],
        ].map(([x, y]) => (
          <path
            key={y}
            d={`M${x! - 8} ${y! + 8}h16M${x! - 5} ${y! + 8}L${x} ${y! - 8}l5 16`}
            fill="var(--background)"
          />
        ))}
      </g>
      <g className="text-primary" strokeWidth="2">
        <path
          d="M299 506c26-16 78-24 78-70s-84-26-84-74 88-14 88-70-86-14-84-74c1-20 6-30 12-42"
          strokeDasharray="1 8"
        />
        <path d="M309 176L322 74" />
        <path d="M314 84l8-10 7 11" />
      </g>
      <circle cx="299" cy="520" r="9" className="text-foreground" fill="var(--background)" strokeWidth="2" />
      <path
        d="M299 516l4 3-1.500 4.500h-5L295 519z"
        className="text-foreground"
        fill="currentColor"
        strokeWidth="1"
      />
    </svg>
  );
}

/** A pitch as a background illustration; text goes in its centre circle. */
export function WholePitch({ className }: { className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 1280 460"
      preserveAspectRatio="xMidYMid slice"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      className={`pointer-events-none text-chalk ${className ?? ''}`}
    >
      <circle cx="640" cy="230" r="330" opacity=".6" />
      <path d="M640-10v70M640 400v70" opacity=".6" />
      <path d="M0 40h170v380H0M0 130h62v200H0M170 170a76 76 0 0 1 0 120" />
      <path d="M1280 40h-170v380h170M1280 130h-62v200h62M1110 170a76 76 0 0 0 0 120" />
      <circle cx="118" cy="230" r="3" fill="currentColor" stroke="none" />
      <circle cx="1162" cy="230" r="3" fill="currentColor" stroke="none" />
    </svg>
  );
}
