// The characters that look like another, of Unicode's table of confusable characters (Unicode Technical Standard 39,
// confusables.txt): ranges in base 36, each as the distance of its first character from the last one before and, after
// the plus, how many follow.
const ranges = `
  w+2 3+q 2+p 2 2+w y 2+1 2 4 5+2 4+4 2 b+2 9 6+2 6+1 6+2 9 6+2 6 4+1 d+1 3+1 5+1 3+1 4 3+1 5+1 4+2 5 7+3 4 3 5+2 2+1
  f+1 3+1 5+1 i+8 2+1 2+7 3+4 3+4 3+5 2+3 3 2+4 4+2 2+2 2+h 9 7+3 a+2 2+1 8 s+3 5+5 g 5 2 3+1 2+5 2 2+2 2 2+1 2+1 2+3 2
  2+3 3 2+3 2+6 2+3 4+1 2+1 2+1 8+2 2+1 2 2 4+2 2 3+2 2+8 8 6+6 2+3 2+5 4+1 3 4+6 4+1 2 6+1 3 5+1 2 2 3 5+e 2+7 9+9 2
  2+1 3 2 2+4 7+3 2 2 9 2 2+1 2+1 b+1 2 2 6+2 4+3 3+1 2+2 5 3 a+g 2+6 8+o 7+2 3+3 3+2 b+1 3 4+5 2+3 3 2 5+2 2 3 2 3+3 2
  2+e 3 3+3 2+3 2 2+e 3 2+2 3 5+2 2+1 2 2 3+3 d+5 7+1 d+3 3+3 3+5 3+1 3+1 7+8 4+1 4 2+3 3 2+a 5+1 3+1 7+1 7+1 l 3 9 2+1
  3+1 a+2 u 9 4 2 2+1 2 4+2 4+1 3 4 2 3 8 2+1 4 3 2 2+1 4 3+1 2 2 d 2+2 2+1 7 4 5+2 5 5+1 7+1 2+1 1w+1 2 3 9+2 1d+5 2+1
  2+8 2 b 6 2z 4 9 4 4+9 1v 4+2 5 4k 2+1 5 6q 3 2+1 2+1 2+3 5+2 5+5 2 2 5+1 2+4 12 2+1 4+1 4 7 5+2 g+6 4 2+1 c 4 2 3 i 2
  2 2+1 2 2+5 2 2 2+2 2 5+1 4+3 8 4+2 a 9+1 5+2 2 2+1 l+1 3+4 5+1 4 14 f 2 p+1 3 n+2 3 7 2+2 2+1 14+1 4+1 b p 2+2 4 2 h
  2 3 q s 16 2 q 3 3+2 4 2 5 5 2 7 6 6+1 3+1 2+1 7+1 9 2+3 a f+2 2+4 2 2+3 2+1 2 6 2+1 2+2 b+2 8 2 2 2+1 2 8+2 2+1 5 2 9
  2 s+1 5+2 7 i+2 2+2 b+2 8 2 5 c 2+1 1b 5+2 7 i+2 5+2 2 4 3+1 5 3 2 2 3 d+1 3 2 4 5+4 5 6 c 5 2 5 4+5 7 3 2+1 6+1 v d
  1m+2 4 j+2 2 2 2+1 3+1 2 3+1 2 3+1 2+5 4 9 3+7 8 4 3+3 2 2+1 a+1 19 5 d+1 2+2 k 5+1 f+3 2 3 c+1 z 2+1 8+1 2 d 3+1 o 17
  8 d 2 2d 7+1 16 g d 2 a+1 c 2 8+1 a q+1 9+1 e 3 t 2 1z c c+1o 2 2+e 2 2+2 3+8 3+4f 6 t t w+1 1f q y 2b 3h+2 2+1 3+4 2
  2+1 2 4 4 2+3 2+1 4 4+1 2+1 3 2+1 4+1 4+1 3 4+1 4 3+2 2+2 7+1 4 3 9+9 2+3 7 6 2 2+4 2 2 2 2+1 2+d 3 2 2 2 4+1 2+d 3+3
  3 2 3+f 4+4 4 3 2+d 6 5 2+d 6 a+5 3 2 7 2+d d+d 9+3 8+d b+d 4+1 2 3 4 4+1 c+1 c+1 e 5+9 2 7+6 r 5+1 2 d+1 d 3 9 3 9
  5+1 7 b+2 3 r+2 a+1 5+1 h q d+g 3 1e 5 2 3+1 4+1 9+1 3+1 5+1 2 2 2 2 3 5 2 3+2 2+1 1x 31+1 k+3 c 5 8+2 4+1 15 6 18 w 7
  1m t 3 3 9 4+e 2 5+2 3 3+2 3 2 3 3 2+3 4p j v+1 38 1n g p 2 9 3 2e 4 n 14 2+1 5 4 3 65 1v 29 2+1 2 3+2 2+2 f j 4+1 2+1
  2+1 2+4 3 4+1 2+1 4+2 2 2+3 2 9 a d 2 5 p 3+2 2+4 2 3+4 4 9 4 f 3 o+1 10 f 2d 2f 3 2 4 2k 3i 1s+3 1b 5 2 7+1 2+a 6+6
  2+5 2 3 2+3 8+8 2+1 2 2 3 2+1 3+2 5 4+1 4 3 3+2 h 9 14 3+1 3+1 2+3 8 2 5 u e n+3 2+e 2+2 2+4 4 3 2+4 2+d 2+e n+v 4+1 d
  4 9+3 h 3 5 4+1 1t 2+1 2+2 7+4 2+5 5 2 3 2 2+6 2+1 4+4 4 c 7+2 6 2+1 4 3 2 7+1 n+1 a+3 3+4 2 2 2 3+1 3+1 d+1 d+5 3 e+3
  l+1 5 b+1 7 b 7 b+1 4+1 h 3 3+1 7 2 3 7 4+1 2 3 2+4 3+1 2+2 6+7 5 9 k 3 3 3 5 4 j+2 3 m+5 4 3 j+3 24 m+9 b+1t 3 6 7 2
  k f m+3 9 3 d 7 26 2 l 4 4 4 2+2 5 3+1 9 7 2 3+2 2 3 4 6 3+1 3 i 6 z 7 l 2 2 7 8 5+1 g k 7+1 1u 58+1 3+3 3+3 b+9 c+2
  17 6+1 2 2 c d+3 8y+1 1j 2 9+1 16+1 m e 6+1 2 f 3 6 l+2 2+1 7+6 6 h 2+8 2+1 5+1 d+2 17 4 6+2 1b 5+1 18 10 2 6n+3 28 14
  2 6+1 5+1 e+2 2+1 5 4 2+2 2 2 4+2 2+4 2 2+4 3 3 2 4 2+1 9 4 2+1 3+2 a 8 4+1 g 1k 6+3 6+2 6+1 6 2 3+1 2 2 4 3 3 3p 2
  2+1 2 7+1 z 4+1 7+6 2 2+2 3 4 4 2+1 1u+1 2 4 2 3+2 2+2 2+3 2 3+6 2 2 3 2 2 2+1 7+1 4+7 3+1 2+2 2+5 2 2+5 2+1 2 2+1 3+1
  2+5 2+1 d+5x 19+1 4+2 9 2+1 5+2 g+1 6 3 2+2 2 j 15 y+2 4 4 4 3 k 9 3 3+1 9 l e+1 1h+1e 2+15 1u+1 2+1 2 4+1 4+1 w+u 2+z
  3h+b 3x+o 34+u 4g r 2 10 1i 15 22 51 4x e 3p 4u 1f q 23 s n y u 3d 3f j 17 32 a 10 h s 5+1 e 2c 6 39 1i 6d 2r 7q c 2r
  69 c g x 6 7 28 25 24 5v 11 3d 2p 1f 11 1u 1m 4 1e l z 14 5c 1e 4 a 30 y 1o 3l 8 9 jy 29 3s 8 1o 3l 4b 74 v b 2m 4q d
  p 2 4 6 4 2+1 4 2 2 o+2 11 2 3+1 6 k e c+1 5 c o 3g l b 6 5 z d 4 1v y 7 h 1q v 1i b d 2g+1 5 8 7 g+1 2+2 2 2 a 9 2 b
  5 3+2 d 7+1 9 2 i 3 g 2 2 l b 2+1 4 g i h+1 b 18 5 i i 8 g k 2 9 c 6 h 4+1 b+1 f 2 3 u 7 2 3+1 4 4 3+1 9 2 d a 2 8 2 3
  1g d 5 2 l 4 2 6 6 l 9 e r a 6 w 1i 4 r 1l q 1v 2 a 4 x 3 i 4 e 8 d 2 w 10 23 n c 2r y t+1 8 30 1v 12 p 10+1 e q 4 3 a
  1p 3+1 7 11 7 c 3 4 5 8 3 4 4 b 5 8 5 t 4 9 3 e h 2t k 1b c 1n 4 21 6 23 8 w m i 1c 5 1q l f 7 5 5 7 7 9 j+1 l 7 x 2
  2+1 9 3 s 1f 2h 16 d r 3 e 1i 8 x 6+1 3 c 2 a+1 z 7 a b j p 9 2 6 5 13 a 3 3 j+1 8+1 6 j 8 a 6 7 8 f 1a+1 2 e+1 7 2 8
  o f f 4 m+1 9 a u 4 p a 2h c j 1f h 9 13 1o 4 4 2 i 8 i k 2 k b 3 18 k 4 a 8 8 b j 6 2 2 j+1 h 2c o 6 4+1 14 2 1r j o
  j 8 t 9 r+1 v 11 j 6 1c n e 7 s 3 13 2z 5+1 q 7 m c f 2 e 2 b l c r+3 2 1a 1i h 9 6 b k 9 b o i 16 4 2 2 8 8 4 3+1 3
  4+1 3 6 2 3 2 12 5 3 8 g d a i 2k 7 5 o 8 1f 1b 4 9 q 30 1a 2j 6 1y+1 o h k 3l 17 8 15 s+1 1f e d 3 5 2+1 11 f 5 7+1 g
  2 7 7 1g 2 3 w+1 5 k p x 1j d+1 o 1d 5 3 m a 3 14+1 d+1 d 1y f g f x l 1r q k u d 4 6 a 1g j+1 1i l 2g 11 j t 3 r h
  x+1 4 7 6 s k r h 30 4 11 1a 1e 2 1s b d 2+1 a+1 5 4 8 9 9 2 7 u l n+1 2 h 1o 1a 23 5 a 3 2 2 q d 18 14 3 p 11 l d 8 k
  4 f 1e i a w i 7 5 4 8 b 3 r c b r 7 28 1a d 2 z 13 d 7 1d h b h c 7 6 d t+1 x a 1t s 1g 7 h x 1m+1 s x 5 1l 2 1b 1b
  g+2 2 a+1 7 6 7+1 7 q e+2 v a 6 c x 1d 10 a 5 11 d 1c q h i b 13 4g 6 3 39 y j 8 n 18 k 4 d 4+1 g+1 7 g i d 12 6 8 j
  16 u 9 19 e 7 1a a 4 6p 8 j+2 v 7+1 b 5 b 5 z 1p 7+1 3 7 6 x j q f+1 e+2 9 2 r 7 5 o 6 12 6 5 2 10 n 3 2u 1d b 5 2 3 6
  9 5 3 8 c 3 4 27+1 3 6+1 i 6 c k 2 a 14+1 1j 6 j s+1 g 22 g c+1 2 g b 8 2 24 c e 1i 2p 3 2 9 q 15 11 2x 19 c c r a 8 2
  c+1 2 c b 2 2 t x 1l 18 q 1v e d 1g 13 w u x c k 3+1 2m d 8 7 3 n 2 m 1d z q+2 6 5 b 17 h 1a u g 27 z a l c 7 4 n b 6
  3 1k v 14 6 4 5 h 47 f 2 d 7 7 l 11 e m+1 6 b 1h j 2 1z c 7 8 7 19 9 f q a+1 a 4d 4 g v a 17 13+1 3 e 3 13 4 1h 3 i
  5+1 31 l 1m a j 2 3 1m g j c k a 1a x 1b r i 6 3 2 2r 4 1q 6 2j+1 18 1y 2r+1 23 s 34 6q+1 7+1 b y a 1d 1g+1 h t 2 14 3
  4 a t j+3 a v+1 5 e+1 18 f m 9+1 4 8 4 7 2q g 5 6 7 6 c 2 a d h i z n 1f 12 d 3+2 2 d d 18+1 1m 1f 3 e 5 m 1b d 30 2
  1o 1c 7 1f j a 3 a u l 5t n 11 2x o 2y 25 1y 10 10+1 1e a o 8 6+1 l 8+1 9+1 3+1 13 4+1 7 9+1 4 3 a r 8 7 6 2 19 e+1 b
  3 3+1 z 3r 6 34 36 87 2g s 66 a a 3 46 1o 8 2 9+1 4 4 a 4+2 2 e+7 2+f 2+h 2+2 7j 1i+1 2 5+1 3+1 7 g+1 6 d 2 n 3+2 7
  f+1 s+1 d 4 c 4+2 3 w 2 h+2 8+f a+1 3+1 b 7 9+1 3 2 7+3 c 3 3 3 3+1 2 3+3 2+2 c 6+6 1s 4 1h 5n+1 2s+s m b 6 z 9+1 1d y
  1c 3 64 3 8+2 2+1 5+1 5+1 3+2 2 5 6 2+1 d+2 2+1 5+2 2 2+1 2 4 4 3 2 3 8+1 3 3 7+1 4+1 3 4 5 8ol+m 5+1c 6it+7h 3 2 3+9
  2 2 3+1 4+1v 3+2x 13+4 2 d+4 i et+1 62 n+1 3+6 5 a+6 9 g 49+1 5 6 d 7+2 2 3+3 2+3 3+1 4+6 2+1 2 2 2+3 2 3+1 3 3 2+1 3
  2 7 1l+1 1w 5 5 7o 3x 8+3 7 6a 3+2 3 3 3 2 2+3 4 5+3 2 3 3 2 3+6 2 4 4 f i 3 4 a 3 c+1 7 8+1 3 2 3 5+1 2 2o h 7 1j 2
  1a 3 d+1 3 6 4+1 3 2 4+1 2 e 3 2 3+1 5 3 2 1l q g 4 8 6+2 9+1 2+2 6 3 f+1 b 3 q 3 2 4+1 8+2 103 1a9 7g 3+1 g+1 2 82 7n
  6 b 6 3 2 t 1y 2 2 2+1 2 2+6 4+4 2+1 2+1 8 3+3 2+4 b+2 4 4s+2 1a+1 11+5 2t 5a 6 4 4+1 b5 2+2 2 2+1 3 2+1 3 3 2+1 3+1
  4+4 2 2 2 2 2 7+3 4 4 3+3 3 3 3 3 dw+4 2+2 6+4 96 2w 8 p2 3pd buv 7+1 2 c 4 2 a 2 5 8 5+1 2 2+1 2+1 e+1 jb6 2h 45 4 5
  2 2 3+5 3+2 5+1 8+1 5 6+5 4 6 cb+2c 2+1y 2+1 3 3+1 3+3 2+b 2 2+6 2+1s 2+3 3+7 2+6 2+r 2+3 2+4 2 4+6 2+9f 3+83 3+1d
  4xt+a 3+t 1w 5u+8 5m 6+1 rr+2 2 3+1 2 a k i i 8+1 7 2 a 3+1 5 vz+9 10p sa 9 12 6n cq 62 9a 8n 1vl ck 1u ke 9c dv 61 2
  ea bf s b6 pv a8 6 jm 6d t5 j2 4n 1g 9 13 i 48 fq ec di 31 ci 2q c3 3x 1c k5 3v 59 gt 8d 67 te 2k lr n 3w 4u+1 12 q 7q
  d0 eh 38 17 jb 8b 78 5x 28 ja gk 26 v 42 2t bg 21 3p e7 e p3 6y 4f 46 ch 3p 81 l4 il g7 54 n6 ff 2k 1b7 r 8x y4 al r2
  4a 1n ds 3w 80 12y 13y 1j 7d 3n 75 ha g74+f1`;

let confusable: ReadonlySet<number> | undefined;

function readRanges(): ReadonlySet<number> {
  const points = new Set<number>();
  let last = 0;
  for (const [first = '', more = '0'] of ranges
    .trim()
    .split(/\s+/)
    .map((range) => range.split('+'))) {
    const start = last + parseInt(first, 36);
    last = start + parseInt(more, 36);
    for (let point = start; point <= last; point++) points.add(point);
  }
  return points;
}

/** Whether a character of the text looks like another. */
export function hasConfusable(text: string): boolean {
  const known = (confusable ??= readRanges());
  return Array.from(text).some((character) => known.has(character.codePointAt(0) as number));
}
