#!/bin/sh
# Makes the pictures of draped cloth and of objects in brand/pictures again: rendered by Blender, woven by numpy, toned and cropped by
# ImageMagick, encoded by avifenc. On Debian: apt-get install --no-install-recommends blender python3-numpy imagemagick libavif-bin
# A picture takes five minutes or more to render; one that is there already, in var/cloth, is not rendered again.
set -eu
cd "$(dirname "$0")/../.."
out=brand/pictures
work=$PWD/var/cloth
mkdir -p "$out" "$work"

render() {
  [ -f "$work/$1.png" ] || blender -b --python "scripts/cloth/${5:-drape}.py" -- "$1" "$work/$1.png" "$2" "$3" "$4"
}
render silk 1600 1200 40
# Smooth but for their threads, which come afterwards: they are rendered smaller.
for cloth in cotton cashmere; do
  render $cloth 960 720 18
  python3 scripts/cloth/weave.py $cloth "$work/$cloth.png" "$work/$cloth.npy" "$work/$cloth-woven.png" 1600 1200
done

# Tone, then a little grain, as film has it: tone NAME OF WITH.
tone() {
  name=$1
  from=$2
  shift 2
  convert "$work/$from.png" "$@" \
    \( +clone -fill gray50 -colorize 100 -seed 7 -attenuate .2 +noise Gaussian -colorspace Gray -blur 0x.55 \) \
    -compose SoftLight -composite -depth 8 "$work/$name-toned.png"
}
tone silk silk -sigmoidal-contrast 2.6x58% -modulate 103,104
tone cotton cotton-woven -sigmoidal-contrast 2.2x60% -modulate 103,108
tone cashmere cashmere-woven -sigmoidal-contrast 2.4x30% -modulate 92,90

# The name of a picture in the brand's folder: slot CLOTH KIND.
slot() {
  case $2 in
  hero) echo home ;;
  wide) echo wide ;;
  *) case $1 in cotton) echo "$2-1" ;; silk) echo "$2-2" ;; cashmere) echo "$2-3" ;; esac ;;
  esac
}

# crop CLOTH NAME WIDTHxHEIGHT FROM QUALITY: FROM is the part of the rendered picture, as ImageMagick writes it.
crop() {
  cut "$1" "$2" "$3" "$4"
  avifenc --speed 2 --jobs 2 --min 0 --max 63 -a end-usage=q -a cq-level="$5" -a tune=ssim \
    "$work/$1-$2.png" "$out/$(slot "$1" "$2").avif" >"$work/$1-$2.log"
  # For the few browsers without AVIF: smaller, so that it is no heavier.
  convert "$work/$1-$2.png" -resize 70% -strip -interlace Plane -sampling-factor 4:2:0 -quality 50 \
    "$out/$(slot "$1" "$2").jpg"
}
cut() {
  convert "$work/$1-toned.png" -crop "$4" +repage -resize "$3^" -gravity center -extent "$3" "$work/$1-$2.png"
}
# Mail programs take JPEG alone.
letter() {
  cut "$1" letter 1200x240 "$2"
  convert "$work/$1-letter.png" -strip -interlace Plane -sampling-factor 4:2:0 -quality 60 \
    "$out/$(slot "$1" email).jpg"
}
crop silk hero 1000x912 1200x1094+360+60 20
crop silk tile 760x874 1000x1150+500+30 22
crop cotton tile 760x874 1000x1150+300+20 26
crop cashmere tile 760x874 1000x1150+220+20 26
crop cashmere wide 1600x520 1600x520+0+180 28
crop silk square 144x144 700x700+700+120 40
crop cotton square 144x144 600x600+500+200 40
crop cashmere square 144x144 600x600+300+40 40
letter silk 1500x300+100+300
letter cotton 1500x300+60+300
letter cashmere 1500x300+60+300

# The objects, in the order of their slots, and the one for empty lists.
number=0
for object in gift bag coat thread:30 buttons:30 knitwear:42 hanger; do
  # Stitches and threads are many small edges: a lower quality keeps them within the budget.
  quality=${object#*:}
  object=${object%:*}
  [ "$quality" = "$object" ] && quality=24
  number=$((number + 1))
  slot=still-$number
  [ $object = hanger ] && slot=empty
  render $object 720 540 14 still
  convert "$work/$object.png" -depth 8 -modulate 100,108 "$work/$object-still.png"
  avifenc --speed 2 --jobs 2 --min 0 --max 63 -a end-usage=q -a cq-level="$quality" -a tune=ssim \
    "$work/$object-still.png" "$out/$slot.avif" >"$work/$object-still.log"
  convert "$work/$object-still.png" -resize 70% -strip -interlace Plane -sampling-factor 4:2:0 -quality 62 \
    "$out/$slot.jpg"
  # The middle of it, for the tiles of the account.
  [ $slot = empty ] && continue
  small=small-$number
  convert "$work/$object-still.png" -gravity center -extent 540x540 -resize 240x240 "$work/$small.png"
  avifenc --speed 2 --jobs 2 --min 0 --max 63 -a end-usage=q -a cq-level="$quality" -a tune=ssim \
    "$work/$small.png" "$out/$small.avif" >"$work/$small.log"
  convert "$work/$small.png" -resize 80% -strip -interlace Plane -sampling-factor 4:2:0 -quality 62 "$out/$small.jpg"
done
ls -l "$out"
