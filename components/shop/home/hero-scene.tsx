/**
 * The road home above the tarn, for both colour schemes: by day, and at night with the lamp lit. Decorative.
 */
export function HeroScene() {
  return (
    <svg
      aria-hidden="true"
      fill="none"
      focusable="false"
      preserveAspectRatio="xMidYMax slice"
      strokeLinecap="round"
      viewBox="0 0 1440 720"
    >
      <defs>
        <linearGradient id="hero-sky" x2="0" y2="1">
          <stop offset="0" stopColor="light-dark(#bfdce2, #0b1520)" />
          <stop offset="0.62" stopColor="light-dark(#f6e9d2, #1a2b39)" />
        </linearGradient>
        <linearGradient id="hero-beam">
          <stop offset="0" stopColor="light-dark(transparent, rgb(248 230 168 / 75%))" />
          <stop offset="1" stopColor="light-dark(transparent, rgb(248 230 168 / 0%))" />
        </linearGradient>
      </defs>
      <rect fill="url(#hero-sky)" height="720" width="1440" />
      <g fill="light-dark(transparent, #f4ecd2)">
        {stars.map(([x, y, r]) => (
          <circle cx={x} cy={y} key={`${x}-${y}`} r={r} />
        ))}
      </g>
      <circle cx="1040" cy="190" fill="light-dark(#f3c672, #f1ead0)" r="74" />
      <circle cx="1070" cy="174" fill="light-dark(transparent, #14232f)" r="66" />
      <g fill="light-dark(#ffffff, #22374a)" opacity="0.8">
        <path d="M1180 110h150a20 20 0 0 0-5-40 36 36 0 0 0-66-14 30 30 0 0 0-51 17 19 19 0 0 0-28 37z" />
      </g>
      <path
        d="M0 470 110 418l90 46 140-56 120 74 110-40 160 78 150-260 140 150 90-60 150 120 180-130V720H0z"
        fill="light-dark(#9db9bf, #2a4354)"
      />
      <path d="m880 260 46 50-26-10-18 22-20-26-12 16z" fill="light-dark(#fdfbf6, #8ba3b3)" />
      <path
        d="M0 500c120-70 220-90 340-50 110 36 190 10 290-40 120-60 250-30 350 20 130 64 290 10 460-60V720H0z"
        fill="light-dark(#7d9c86, #1c342f)"
      />
      <path
        d="M520 520c140-26 420-30 560 6 40 12 20 40-30 46-160 20-420 22-560-4-50-10-40-38 30-48z"
        fill="light-dark(#5e9fab, #24506a)"
      />
      <path
        d="M600 540h120M790 534h90M700 556h160M930 548h80"
        opacity="0.7"
        stroke="light-dark(#d6ebee, #6f9fb8)"
        strokeWidth="3"
      />
      <path
        d="M0 590c200-50 340-44 520-14 200 34 330 30 500-6 160-34 290-40 420-20V720H0z"
        fill="light-dark(#55795c, #14261f)"
      />
      <path
        d="M-20 676c240-60 520-66 760-52 260 14 480 16 720-30v50c-260 40-480 42-740 30-260-12-520 2-740 60z"
        fill="light-dark(#d9c39b, #2b3230)"
      />
      <path
        d="M40 686c240-46 460-54 700-42 260 12 470 12 680-22"
        stroke="light-dark(#f4e7cc, #5b625c)"
        strokeDasharray="26 30"
        strokeWidth="4"
      />
      <g fill="light-dark(#2f5645, #0c1a15)">
        {trees.map(([x, y, size]) => (
          <path
            d={`M${x} ${y}l${-size * 0.42} 0l${size * 0.24} ${-size * 0.42}h${-size * 0.12}l${size * 0.3} ${-size * 0.7}l${size * 0.3} ${size * 0.7}h${-size * 0.12}l${size * 0.24} ${size * 0.42}z`}
            key={`${x}-${y}`}
          />
        ))}
      </g>
      <g>
        <path d="M1206 566v-52l44-34 44 34v52z" fill="light-dark(#f4ece0, #2a3338)" />
        <path d="m1194 522 56-46 56 46-8 9-48-39-48 39z" fill="light-dark(#b23f28, #5a2a20)" />
        <path d="M1226 528h16v18h-16zM1258 528h16v18h-16z" fill="light-dark(#5b7f8c, #f6d77f)" />
      </g>
      <path d="M738 532 1060 574v132L738 541z" fill="url(#hero-beam)" />
      <Rider />
    </svg>
  );
}

function Rider() {
  return (
    <g transform="translate(590 470) scale(.96)">
      <g stroke="light-dark(#1c2527, #05090b)" strokeWidth="8">
        <circle cx="28" cy="132" r="46" />
        <circle cx="166" cy="132" r="46" />
      </g>
      <g stroke="light-dark(#5c676b, #57646b)" strokeLinecap="butt" strokeWidth="1.2">
        <path d="M28 88v88M-16 132h88M-3 101l62 62M59 101l-62 62M166 88v88M122 132h88M135 101l62 62M197 101l-62 62" />
      </g>
      <path
        d="M28 132 66 72h66L86 140zM66 72l20 68M132 72l34 60M132 72l-4-14"
        stroke="light-dark(#b23f28, #d9624a)"
        strokeLinejoin="round"
        strokeWidth="7"
      />
      <path
        d="M58 60h22M66 62v10M128 58l16-6c10 0 14 10 4 16"
        stroke="light-dark(#1c2527, #05090b)"
        strokeWidth="6"
      />
      <path d="M22 56h40l-4 18H26z" fill="#d8b67c" />
      <path
        d="M72 66 104 96 92 136"
        stroke="light-dark(#1f2a32, #131c22)"
        strokeLinejoin="round"
        strokeWidth="15"
      />
      <path d="M60 62C66 30 84 10 108 4l18 16c-12 12-26 26-32 46z" fill="#e0a92f" />
      <path d="M112 16l10 28 22 12" stroke="#c28d1d" strokeLinejoin="round" strokeWidth="11" />
      <path
        d="M74 66 112 88 84 144"
        stroke="light-dark(#2c3a44, #1d2930)"
        strokeLinejoin="round"
        strokeWidth="15"
      />
      <path d="M78 142h18M86 136h16" stroke="light-dark(#1c2527, #05090b)" strokeWidth="8" />
      <circle cx="124" cy="-8" fill="#c98f66" r="14" />
      <path d="M107-12c0-20 32-24 36-2-10-3-24-3-36 2z" fill="light-dark(#1c5a4a, #7fc9ab)" />
      <circle cx="152" cy="68" fill="light-dark(#f7f5ef, #fff3c4)" r="6" />
      <circle cx="20" cy="62" fill="#e0402c" r="4" />
    </g>
  );
}

const stars = [
  [90, 70, 2],
  [940, 150, 2],
  [1000, 60, 2],
  [880, 50, 1.5],
  [1180, 250, 1.5],
  [1260, 60, 2],
  [1370, 180, 1.5],
  [1400, 40, 1.5],
] as const;

const trees = [
  [92, 604, 84],
  [148, 596, 62],
  [40, 612, 60],
  [318, 586, 52],
  [352, 590, 70],
  [1108, 592, 58],
  [1142, 586, 78],
  [1352, 580, 92],
  [1400, 584, 66],
] as const;
