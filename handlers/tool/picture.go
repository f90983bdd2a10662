package tool

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/jpeg"
	"image/png"
	"math"
	"net/http"

	"golang.org/x/image/draw"

	"pwpipe/provider"
)

// maxScaled is the number of pixels that a picture may have to be scaled: it is decoded for
// that, and a script may answer any.
const maxScaled = 100_000_000

// Answered is a picture as an answer shows it: no side is longer than most, in pixels; 0 is no
// bound. A picture in a format that is not Go's own stays as it is.
func Answered(data []byte, most int) (provider.Image, error) {
	as := provider.Image{MIME: http.DetectContentType(data)}
	is, format, err := image.DecodeConfig(bytes.NewReader(data))
	if longest := max(is.Width, is.Height); err == nil && most > 0 && longest > most {
		if is.Width*is.Height > maxScaled {
			return as, provider.Errorf(provider.KindLimit,
				"a picture of %d by %d pixels is too large to be scaled to %d", is.Width, is.Height, most).WithHint("take a part of it, or write it to a file")
		}
		factor := float64(most) / float64(longest)
		if data, err = scaled(data, format, factor); err != nil {
			return as, provider.Errorf(provider.KindFailed, "the picture can't be scaled: %w", err)
		}
		as.Scale = math.Round(factor*10_000) / 10_000
	}
	as.Base64 = base64.StdEncoding.EncodeToString(data)
	return as, nil
}

// scaled multiplies the sides of a picture by a factor. It is encoded as before.
func scaled(data []byte, format string, factor float64) ([]byte, error) {
	from, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	side := func(n int) int { return max(1, int(math.Round(float64(n)*factor))) }
	to := image.NewRGBA(image.Rect(0, 0, side(from.Bounds().Dx()), side(from.Bounds().Dy())))
	draw.CatmullRom.Scale(to, to.Rect, from, from.Bounds(), draw.Src, nil)
	var b bytes.Buffer
	if format == "jpeg" {
		err = jpeg.Encode(&b, to, &jpeg.Options{Quality: 80})
	} else {
		err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, to)
	}
	return b.Bytes(), err
}
