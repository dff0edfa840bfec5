#!/bin/sh
# Makes the pictures of draped cloth in public/assets/cloth again: rendered by Blender, toned and cropped by ImageMagick, encoded by
# avifenc. On Debian: apt-get install --no-install-recommends blender python3-numpy imagemagick libavif-bin
# A picture takes ten minutes or more to render; one that is there already, in var/cloth, is not rendered again.
set -eu
cd "$(dirname "$0")/../.."
out=public/assets/cloth
# In the names of the files, and in src/ui/drape.tsx: they are cached for good, so other pictures need other names.
version=1
work=var/cloth
mkdir -p "$out" "$work"

for cloth in silk cotton cashmere; do
  [ -f "$work/$cloth.png" ] ||
    blender -b --python scripts/cloth/drape.py -- "$cloth" "$PWD/$work/$cloth.png" 1600 1200 40
done

# Tone, then a little grain, as film has it.
tone() {
  cloth=$1
  shift
  convert "$work/$cloth.png" "$@" \
    \( +clone -fill gray50 -colorize 100 -seed 7 -attenuate .2 +noise Gaussian -colorspace Gray -blur 0x.55 \) \
    -compose SoftLight -composite "$work/$cloth-toned.png"
}
tone silk -sigmoidal-contrast 2.6x58% -modulate 103,104
tone cotton -sigmoidal-contrast 2.2x60% -modulate 104,112
tone cashmere -sigmoidal-contrast 2.4x30% -modulate 92,90

# crop CLOTH NAME WIDTHxHEIGHT FROM QUALITY: FROM is the part of the rendered picture, as ImageMagick writes it.
crop() {
  convert "$work/$1-toned.png" -crop "$4" +repage -resize "$3^" -gravity center -extent "$3" "$work/$1-$2.png"
  avifenc --speed 2 --jobs 2 --min 0 --max 63 -a end-usage=q -a cq-level="$5" -a tune=ssim \
    "$work/$1-$2.png" "$out/$1-$2-$version.avif" >"$work/$1-$2.log"
  # For the few browsers without AVIF: smaller, so that it is no heavier.
  convert "$work/$1-$2.png" -resize 70% -strip -interlace Plane -sampling-factor 4:2:0 -quality 50 "$out/$1-$2-$version.jpg"
}
crop silk hero 1000x912 1200x1094+360+60 20
crop silk tile 760x874 1000x1150+500+30 22
crop cotton tile 760x874 1000x1150+300+20 28
crop cashmere tile 760x874 1000x1150+120+20 30
crop cashmere wide 1600x520 1600x520+0+180 32
crop silk square 144x144 700x700+700+120 40
crop cotton square 144x144 600x600+500+200 40
crop cashmere square 144x144 600x600+160+40 40
ls -l "$out"
