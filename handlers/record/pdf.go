package record

import (
	"github.com/playwright-community/playwright-go"

	"pwpipe/handlers/files"
	"pwpipe/handlers/tool"
	"pwpipe/provider"
)

// PDFParams are the parameters of [PDF].
type PDFParams struct {
	Path       tool.WritePath `json:"path" doc:"PDF file"`
	Format     string         `json:"format,omitempty" doc:"paper" enum:"Letter,Legal,Tabloid,Ledger,A0,A1,A2,A3,A4,A5,A6" default:"A4"`
	Landscape  bool           `json:"landscape,omitempty" doc:"turn the paper"`
	Background bool           `json:"background,omitempty" doc:"print background colours and pictures"`
	Scale      float64        `json:"scale,omitempty" doc:"size of the content" default:"1" min:"0.1" max:"2"`
	Pages      string         `json:"pages,omitempty" doc:"such as 1-3, 5; default: all"`
}

// pdf is page.pdf.
func pdf(c *tool.Call, in PDFParams) (string, error) {
	path := string(in.Path)
	if err := files.CheckEnding("path", path, ".pdf"); err != nil {
		return "", err
	}
	o := playwright.PagePdfOptions{Format: &in.Format, Landscape: &in.Landscape, PrintBackground: &in.Background, Scale: &in.Scale}
	if in.Pages != "" {
		o.PageRanges = &in.Pages
	}
	data, err := c.PW.PDF(o)
	if err != nil {
		if !c.Engine.Chromium {
			return "", provider.Errorf(provider.KindFailed, "only Chromium can print to PDF")
		}
		return "", c.Fail(err, "")
	}
	return path, c.WriteFile(path, data)
}
