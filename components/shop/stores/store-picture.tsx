const paint = {
  sky: "light-dark(#d9e6e4, #14212b)",
  sun: "light-dark(#f3c672, #e9e2c8)",
  hill: "light-dark(#9db79f, #1d3830)",
  stone: "light-dark(#cdbfa8, #47525a)",
  roof: "light-dark(#4d5d68, #2a343b)",
  front: "light-dark(#f4ece0, #6a747a)",
  pane: "light-dark(#5b7f8c, #f0d48a)",
  awning: "light-dark(#b23f28, #a8492f)",
  door: "light-dark(#1c5a4a, #12392f)",
  lamp: "light-dark(#f8e6a8, #fff0b8)",
  wheel: "light-dark(#1c2527, #12181b)",
  ground: "light-dark(#b5a88d, #262f33)",
  water: "light-dark(#5e9fab, #1d4357)",
  ripple: "light-dark(#d6ebee, #5d8ea6)",
  boat: "light-dark(#2f5645, #10241d)",
};

/** A drawing of each shop for both colour schemes. Decorative: the text beside it says where the shop is. */
export function StorePicture({ store }: { store: string }) {
  return (
    <svg aria-hidden="true" fill="none" focusable="false" strokeLinecap="round" viewBox="0 0 360 270">
      <rect fill={paint.sky} height="270" width="360" />
      <circle cx="290" cy="62" fill={paint.sun} r="26" />
      <path d="M0 168c60-46 110-52 168-14 46-40 110-52 192 4v112H0z" fill={paint.hill} />
      {store === "ostle-quay" ? <Quay /> : store === "brackwater" ? <Canal /> : <Mill />}
    </svg>
  );
}

/** The old bobbin mill in Kelderby. */
function Mill() {
  return (
    <>
      <path d="M70 116 180 74l110 42v124H70z" fill={paint.stone} />
      <path d="m58 118 122-48 122 48-6 12-116-45L64 130z" fill={paint.roof} />
      <path d="M236 60h22v44h-22z" fill={paint.stone} />
      <path d="M96 138h34v30H96zM163 138h34v30h-34zM230 138h34v30h-34z" fill={paint.pane} />
      <path d="M92 186h106v54H92z" fill={paint.front} />
      <path d="M100 194h90v38h-90z" fill={paint.pane} />
      <path d="M86 180h118l8 14H78z" fill={paint.awning} />
      <path d="M226 186h34v54h-34z" fill={paint.door} />
      <circle cx="145" cy="214" r="14" stroke={paint.wheel} strokeWidth="4" />
      <path d="M0 238h360v32H0z" fill={paint.ground} />
    </>
  );
}

/** The shop on the canal in Brackwater. */
function Canal() {
  return (
    <>
      <path d="M84 104h192v112H84z" fill={paint.stone} />
      <path d="M72 108 96 72h168l24 36z" fill={paint.roof} />
      <path d="M104 122h30v28h-30zM165 122h30v28h-30zM226 122h30v28h-30z" fill={paint.pane} />
      <path d="M100 164h70v52h-70z" fill={paint.front} />
      <path d="M107 171h56v38h-56z" fill={paint.pane} />
      <path d="M94 158h82l8 14H86z" fill={paint.awning} />
      <path d="M196 164h32v52h-32z" fill={paint.door} />
      <circle cx="135" cy="194" r="12" stroke={paint.wheel} strokeWidth="4" />
      <path d="M0 212h360v18H0z" fill={paint.ground} />
      <path d="M0 228h360v42H0z" fill={paint.water} />
      <path d="M30 244h60M120 256h70M230 246h84" stroke={paint.ripple} strokeWidth="3" />
      <path d="M210 226h120l-14 22h-94z" fill={paint.boat} />
      <path d="M236 208h62v18h-62z" fill={paint.front} />
    </>
  );
}

/** The customs shed and the lighthouse of Ostle Quay. */
function Quay() {
  return (
    <>
      <path d="M252 70h36l12 146h-60z" fill={paint.front} />
      <path d="M248 104h44l3 26h-50zM243 158h54l3 28h-60z" fill={paint.awning} />
      <path d="M250 52h40v18h-40z" fill={paint.roof} />
      <path d="M258 40h24v14h-24z" fill={paint.lamp} />
      <path d="m252 40 18-16 18 16z" fill={paint.roof} />
      <path d="M54 146h170v72H54z" fill={paint.stone} />
      <path d="m44 150 24-34h142l24 34z" fill={paint.roof} />
      <path d="M72 164h44v30H72zM172 164h36v30h-36z" fill={paint.pane} />
      <path d="M130 166h28v52h-28z" fill={paint.door} />
      <path d="M0 214h360v18H0z" fill={paint.ground} />
      <path d="M0 230h360v40H0z" fill={paint.water} />
      <path d="M24 246h70M140 258h60M250 248h80" stroke={paint.ripple} strokeWidth="3" />
    </>
  );
}
