package extension

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"pwpipe/internal/browser/cdp"
)

// Messages of native messaging are JSON texts behind their length, in the machine's byte
// order. Chrome sends 64 MiB at most, and takes 1 MiB.
const (
	longestSaid = 64 << 20
	longestTold = 1 << 20
	pieceSize   = 160 << 10 // six times as long at most, once it is a JSON text in a JSON text
)

// readFrame reads a message.
func readFrame(r io.Reader) ([]byte, error) {
	var length uint32
	if err := binary.Read(r, binary.NativeEndian, &length); err != nil {
		return nil, err
	}
	if length > longestSaid {
		return nil, fmt.Errorf("a message of %d bytes, of %d at most", length, longestSaid)
	}
	var text bytes.Buffer // which grows as the bytes come
	_, err := io.CopyN(&text, r, int64(length))
	return text.Bytes(), err
}

// frames are the frames of a message, which is sent in pieces if it is long.
func frames(message any) ([]byte, error) {
	text, err := cdp.Encode(message)
	if err != nil {
		return nil, err
	}
	if len(text) <= longestTold {
		return frame(nil, text), nil
	}
	type piece struct {
		Piece string `json:"piece"`
		Last  bool   `json:"last"`
	}
	var list []byte
	for len(text) > 0 {
		n := min(len(text), pieceSize)
		for n < len(text) && text[n]&0xC0 == 0x80 { // inside of a character
			n--
		}
		part, err := cdp.Encode(piece{string(text[:n]), n == len(text)})
		if err != nil {
			return nil, err
		}
		list, text = frame(list, part), text[n:]
	}
	return list, nil
}

func frame(to, text []byte) []byte {
	return append(binary.NativeEndian.AppendUint32(to, uint32(len(text))), text...)
}
